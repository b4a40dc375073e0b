import { type FailureReason, type HarvestState, runItemStateOf } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { WriteTx } from '../../../../platform/db/database.ts';

// For super admins and the worker, who see every row.

/** Updates the open items of a pool, in the transaction that moves its cycle. A run only observes. */
export async function followRuns(
  tx: WriteTx,
  poolId: string,
  state: HarvestState,
  failure: FailureReason | null,
): Promise<void> {
  await sql`
    UPDATE harvest_run_item i SET reason = ${failure},
      state = CASE r.goal WHEN 'start' THEN ${runItemStateOf('start', state)} ELSE ${runItemStateOf('stop', state)} END
    FROM harvest_run r
    WHERE r.id = i.run_id AND i.pooled_account_id = ${poolId} AND i.state IN ('moving', 'awaiting')`.execute(
    tx.sql,
  );
}

/** Inserts a run over these cycles. @returns its id */
export async function insertRun(
  tx: WriteTx,
  { action, goal, retriesId }: { action: string; goal: 'start' | 'stop'; retriesId: string | null },
  cycles: readonly { id: string; poolId: string }[],
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO harvest_run (action, goal, requested_by_id, requested_by, retries_id)
    VALUES (${action}, ${goal}, ${tx.actor.id}, ${tx.actor.name}, ${retriesId}) RETURNING id`.execute(tx.sql);
  const [run] = rows as [{ id: string }];
  await sql`
    INSERT INTO harvest_run_item (run_id, pooled_account_id, cycle_id)
    SELECT ${run.id}::uuid, * FROM unnest(${cycles.map(({ poolId }) => poolId)}::uuid[],
      ${cycles.map(({ id }) => id)}::uuid[])`.execute(tx.sql);
  return run.id;
}
