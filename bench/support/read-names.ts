import pg from 'pg';

/** Objects that the first provider has much of, so that each persona sees them. */
export async function readNames(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    const { rows } = await client.query<Record<string, string>>(
      `SELECT i.id AS invoice, i.trader_id AS trader, i.community_id AS community, i.provider_id AS provider,
         t.reference_number AS reference
       FROM invoice i JOIN trader t ON t.id = i.trader_id JOIN provider p ON p.id = i.provider_id
       WHERE p.name = 'aurora' AND i.status = 'pending' ORDER BY i.created_at DESC LIMIT 1`,
    );
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    return { ...rows[0], from: day(89), to: day(0) };
  } finally {
    await client.end();
  }
}
