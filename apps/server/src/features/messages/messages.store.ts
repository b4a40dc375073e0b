import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** Queues a failed message again, as if it had never been tried. Returns whether it had failed. */
export async function queueAgain(tx: WriteTx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE message SET state = 'queued', attempts = 0, due_at = now(), problem = NULL, problem_detail = NULL
    WHERE id = ${id} AND state = 'failed' AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
  return numAffectedRows === 1n;
}
