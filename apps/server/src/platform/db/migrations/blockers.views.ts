import type pg from 'pg';

/** The longest transactions of other processes in this database, for a person. */
export async function findBlockers(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    SELECT format('process %s (%s, open for %s s)', pid, coalesce(nullif(application_name, ''), usename),
        round(extract(epoch FROM now() - xact_start))) AS text
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    ORDER BY xact_start LIMIT 5`);
  return rows.map(({ text }) => text).join(', ') || 'none that is visible to this login';
}
