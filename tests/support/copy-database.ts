import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** An independent copy of a database in its present state, like a backup. Clients of the original reconnect. */
export async function copyDatabase(ownerUrl: string): Promise<{ ownerUrl: string; drop(): Promise<void> }> {
  const source = new URL(ownerUrl);
  const name = source.pathname.slice(1);
  const copy = `copy_${randomUUID().replaceAll('-', '')}`;
  const elsewhere = new URL(ownerUrl);
  elsewhere.pathname = '/postgres';
  const asAdmin = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: elsewhere.href });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await asAdmin(
    `ALTER DATABASE "${name}" WITH ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await asAdmin(
          `CREATE DATABASE "${copy}" TEMPLATE "${name}"`,
          `REVOKE TEMPORARY ON DATABASE "${copy}" FROM PUBLIC`,
        );
        break;
      } catch (error) {
        if (attempt === 20) throw error;
        await sleep(100); // terminated connections take a moment to end
      }
    }
  } finally {
    await asAdmin(`ALTER DATABASE "${name}" WITH ALLOW_CONNECTIONS true`);
  }
  source.pathname = `/${copy}`;
  return { ownerUrl: source.href, drop: () => asAdmin(`DROP DATABASE IF EXISTS "${copy}" WITH (FORCE)`) };
}
