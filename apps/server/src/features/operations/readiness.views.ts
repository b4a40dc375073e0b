import type { Replication } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import { readReplication } from '../../core/transfers/replication.views.ts';
import type { Tx } from '../../platform/db/database.ts';
import { failedSyncs } from './failed-syncs.views.ts';

/** A worker without a heartbeat for this long counts as gone. */
const WORKER_SILENCE_SECONDS = 30;
/** Without any for this long something is wrong. A restart takes less. */
const ALL_SILENT_SECONDS = 60;

export interface Readiness {
  migrations: string[];
  /** Number of live workers. */
  workers: number;
  /** Whether no worker has been heard of for a minute. */
  are_all_silent: boolean;
  /** Whether a worker found the audit chain cut or replaced. */
  is_audit_broken: boolean;
  /** Subjects of vendors whose reading was given up, by queue: the oldest with the reason. */
  failed_syncs: { queue: string; count: number; since: string; reason: string }[];
  /** Whether the database that answers may be written to. */
  takes_writes: boolean;
  replication: Replication;
}

/** The migrations of this database, and the state that its workers report. */
export async function readReadiness(tx: Tx): Promise<Readiness> {
  const { rows } = await sql<Omit<Readiness, 'replication'>>`
    SELECT (SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM schema_migration) AS migrations,
      count(*) FILTER (WHERE live)::int AS workers, count(*) = 0 AS are_all_silent,
      coalesce(bool_or(audit_problem IS NOT NULL) FILTER (WHERE live), false) AS is_audit_broken,
      (SELECT coalesce(json_agg(json_build_object('queue', f.queue, 'count', f.count, 'since', app.iso(f.since),
          'reason', f.reason) ORDER BY f.queue), '[]') FROM (${failedSyncs}) f) AS failed_syncs,
      -- This transaction reads only in any case: what counts is how the next one would begin.
      NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS takes_writes
    FROM worker_heartbeat, LATERAL (
      SELECT ended_at IS NULL AND seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS}) AS live) l
    WHERE seen_at > now() - make_interval(secs => ${ALL_SILENT_SECONDS})`.execute(tx.sql);
  if (!rows[0]) throw new Error('an aggregate has no row');
  return { ...rows[0], replication: await readReplication(tx) };
}
