import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from './worker-actor.ts';

/**
 * Records that a worker is alive.
 * @param auditProblem the problem that it found with the audit chain, or null
 */
export async function beat(db: Database, workerId: string, auditProblem: string | null): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`INSERT INTO worker_heartbeat (worker_id, audit_problem) VALUES (${workerId}, ${auditProblem})
      ON CONFLICT (worker_id) DO UPDATE SET seen_at = now(), audit_problem = excluded.audit_problem`.execute(
      tx.sql,
    );
  });
}

/** Removes a worker that has ended from the list of live ones. */
export async function endBeat(db: Database, workerId: string): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`DELETE FROM worker_heartbeat WHERE worker_id = ${workerId}`.execute(tx.sql);
  });
}

/** Deletes workers that have been silent for an hour. */
export async function forgetSilentWorkers(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`DELETE FROM worker_heartbeat WHERE seen_at < now() - interval '1 hour'`.execute(tx.sql);
  });
}
