import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { latency, load } from './support/load.ts';
import { signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const POSITIONS = 100_000;
const ORDERS = ['closed_at', 'closed_pnl', 'symbol'];
const OFFSETS = [0, 25, 1_000, 50_000];

/** The position history of one trader with a hundred thousand positions: pages near and far, in each order. */
export async function benchTraderHistory(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, 1_000);
  const traderId = await addPositions(databaseUrl);
  const api = await startApi(databaseUrl, dataDir);
  try {
    const token = await signIn(api.url, 'super');
    const path = `/api/traders/${traderId}/closed-positions?limit=25`;
    for (const [what, paths] of [
      ['first page', ORDERS.map((order) => `${path}&orderBy=${order}`)],
      [
        'any page',
        ORDERS.flatMap((order) => OFFSETS.map((offset) => `${path}&orderBy=${order}&offset=${offset}`)),
      ],
      ['first page of one symbol', [`${path}&symbol=BTCUSDT`]],
    ] as const) {
      const result = await load({ url: api.url, paths: [...paths], token, clients: 2, seconds: 5 });
      report.row(
        `closed positions, ${what} of 100,000 with totals, 2 clients`,
        latency(result),
        'p95 ≤ 50 ms',
      );
    }
  } finally {
    await api.stop();
  }
}

async function addPositions(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  const { rows } = await client.query(
    'SELECT id, trader_id, provider_id FROM exchange_account ORDER BY id LIMIT 1',
  );
  const { id, trader_id, provider_id } = rows[0];
  await client.query(
    `INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, entry_price, exit_price,
       leverage, contracts, closed_pnl, closed_at)
     SELECT $1, $2, $3, 'bench-' || n, (ARRAY['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'])[1 + n % 4], 'long',
       100, 101, 5, 1, (n % 1000) - 400, now() - make_interval(mins => n * 4)
     FROM generate_series(1, $4::int) n`,
    [id, trader_id, provider_id, POSITIONS],
  );
  await client.query('VACUUM ANALYZE closed_position');
  await client.query('VACUUM ANALYZE closed_position_day');
  await client.end();
  return trader_id;
}
