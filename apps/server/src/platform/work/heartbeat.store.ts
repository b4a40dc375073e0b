import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from './worker-actor.ts';

/** What a worker knows of the audit chain. */
export interface AuditWatch {
  /** Null: it found no problem. */
  problem: string | null;
  /** The last head that it noted outside of the database. */
  noted: { sequence: string; at: string } | null;
}

/** How a worker runs: see the columns of worker_heartbeat. */
interface WorkerProgram {
  hasAuditKey: boolean;
  runsAs: string | null;
  problem: string | null;
  /** Public keys of age. */
  poolKeysRecipients: readonly string[];
}

const BELOW_NPM_START: WorkerProgram = {
  hasAuditKey: false,
  runsAs: null,
  problem: null,
  poolKeysRecipients: [],
};

/** Records that a worker is alive, what it knows of the audit chain, and how it runs. */
export async function beat(
  db: Database,
  workerId: string,
  { problem, noted }: AuditWatch,
  program: WorkerProgram = BELOW_NPM_START,
): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`INSERT INTO worker_heartbeat (worker_id, audit_problem, noted_sequence, noted_at, has_audit_key,
        runs_as, program_problem, pool_keys_recipients)
      VALUES (${workerId}, ${problem}, ${noted?.sequence ?? null}, ${noted?.at ?? null}, ${program.hasAuditKey},
        ${program.runsAs}, ${program.problem}, ${[...program.poolKeysRecipients]})
      ON CONFLICT (worker_id) DO UPDATE SET seen_at = now(), audit_problem = excluded.audit_problem,
        noted_sequence = excluded.noted_sequence, noted_at = excluded.noted_at`.execute(tx.sql);
  });
}

/** Removes a worker that stopped in order: it counts neither as alive nor as silent. */
export async function endBeat(db: Database, workerId: string): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`UPDATE worker_heartbeat SET seen_at = now(), ended_at = now()
      WHERE worker_id = ${workerId}`.execute(tx.sql);
  });
}

/** Deletes workers that have been silent for an hour. */
export async function forgetSilentWorkers(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`DELETE FROM worker_heartbeat WHERE seen_at < now() - interval '1 hour'`.execute(tx.sql);
  });
}
