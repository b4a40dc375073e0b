import pg from 'pg';

/** Runs one statement as the owner of the schema, seeing everything. */
export async function asOwner<R extends pg.QueryResultRow = pg.QueryResultRow>(
  ownerUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("SELECT set_config('copydesk.scope', 'all', false)");
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}
