import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** A worker without a heartbeat for this long counts as gone. */
const WORKER_SILENCE_SECONDS = 30;

interface Readiness {
  migrations: string[];
  /** Number of live workers. */
  workers: number;
  /** Whether a worker found the audit chain cut or replaced. */
  is_audit_broken: boolean;
}

/** The migrations of this database, and the state that its workers report. */
export async function readReadiness(tx: Tx): Promise<Readiness> {
  const { rows } = await sql<Readiness>`
    SELECT (SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM schema_migration) AS migrations,
      count(*)::int AS workers, coalesce(bool_or(audit_problem IS NOT NULL), false) AS is_audit_broken
    FROM worker_heartbeat
    WHERE seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS})`.execute(tx.sql);
  return rows[0] ?? { migrations: [], workers: 0, is_audit_broken: false };
}
