import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** A worker that wrote no heartbeat for this long counts as gone. */
const WORKER_SILENCE_SECONDS = 30;

/** The migrations that this database has, and how many workers are alive. */
export async function readReadiness(tx: Tx): Promise<{ migrations: string[]; workers: number }> {
  const { rows } = await sql<{ migrations: string[]; workers: number }>`
    SELECT (SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM schema_migration) AS migrations,
      (SELECT count(*)::int FROM worker_heartbeat
       WHERE seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS})) AS workers`.execute(tx.sql);
  return rows[0] ?? { migrations: [], workers: 0 };
}
