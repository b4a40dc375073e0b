import pg from 'pg';

/**
 * Connections by database, kept open briefly: a test needs them often, and a connection costs more than most
 * statements.
 */
const pools = new Map<string, pg.Pool>();

/** Runs one statement as the owner of the schema, with full scope. */
export async function asOwner<R extends pg.QueryResultRow = pg.QueryResultRow>(
  ownerUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = await poolOf(ownerUrl).connect();
  try {
    // Settings of an earlier statement are cleared, and those that a role may have do not reach what a test reads.
    await client.query(
      "RESET ALL; SET datestyle = 'ISO'; SET timezone = 'UTC'; SET statement_timeout = 0; SET lock_timeout = 0; SELECT set_config('copydesk.scope', 'all', false)",
    );
    return (await client.query<R>(text, values)).rows;
  } finally {
    client.release();
  }
}

function poolOf(url: string): pg.Pool {
  const known = pools.get(url);
  if (known) return known;
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  // The database is dropped or cut off while a connection waits for the next statement.
  pool.on('error', () => {});
  pools.set(url, pool);
  return pool;
}
