import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';

/** The checks whose last result is stored. */
export type CheckName = 'ledger_recent' | 'ledger_all' | 'wallets' | 'deposit_addresses';

/** Stores the result of a check that has just ended. A check that failed stores nothing: its last result grows old. */
export async function recordCheck(db: Database, name: CheckName, findings: number): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`INSERT INTO check_result (name, findings) VALUES (${name}, ${findings})
      ON CONFLICT (name) DO UPDATE SET checked_at = now(), findings = excluded.findings`.execute(tx.sql);
  });
}
