import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** A worker that wrote no heartbeat for this long counts as gone. */
const WORKER_SILENCE_SECONDS = 30;

interface Readiness {
  migrations: string[];
  /** How many are alive. */
  workers: number;
  /** Whether one of them found the audit chain cut or replaced. */
  is_audit_broken: boolean;
}

/** The migrations that this database has, and what its workers say of themselves. */
export async function readReadiness(tx: Tx): Promise<Readiness> {
  const { rows } = await sql<Readiness>`
    SELECT (SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM schema_migration) AS migrations,
      count(*)::int AS workers, coalesce(bool_or(audit_problem IS NOT NULL), false) AS is_audit_broken
    FROM worker_heartbeat
    WHERE seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS})`.execute(tx.sql);
  return rows[0] ?? { migrations: [], workers: 0, is_audit_broken: false };
}
