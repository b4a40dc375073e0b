import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The smallest server of a list: bare HTTP that passes the text of one query through, without sign-in, scope,
 * validation or headers. The baseline for the real one.
 */
export async function startBareServer(databaseUrl: string, limit: number) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    options: '-c copydesk.scope=all -c work_mem=16MB -c jit=off',
  });
  const text = `SELECT json_build_object('success', true, 'data', json_agg(r))::text AS body FROM (
    SELECT id, status, name, email, telegram_username, telegram_user_id, language, selected_provider_id,
      reference_number, community_id, external_wallet_address, last_updated_by, created_at, updated_at,
      aum, aum_read_at
    FROM trader ORDER BY aum DESC NULLS LAST, id LIMIT ${limit}) r`;
  const server = createServer(async (_request, response) => {
    const { rows } = await pool.query<{ body: string }>(text);
    response.writeHead(200, { 'content-type': 'application/json' }).end(rows[0]?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}
