import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** The community of an operation, which never changes; null when there is no such operation. */
export async function findCommunityOf(tx: WriteTx, operationId: string): Promise<string | null> {
  const { rows } = await sql<{ community_id: string }>`
    SELECT o.community_id FROM sweep_operation o
    WHERE o.id = ${operationId} AND ${communityInScope(tx, 'o.community_id')}`.execute(tx.sql);
  return rows[0]?.community_id ?? null;
}

/** Locks the transfers of an operation, so that nobody signs or settles one while it is decided about. */
export async function lockTransfersOf(tx: WriteTx, operationId: string): Promise<void> {
  // Two ways to find them, each by an index of its own; an OR of both would read all transfers that there are.
  await sql`SELECT FROM chain_intent i
    WHERE i.id = ANY (ARRAY(
      SELECT o.id FROM chain_intent o WHERE o.sweep_operation_id = ${operationId}
      UNION SELECT y.consolidation_id FROM payable y WHERE y.sweep_operation_id = ${operationId}))
    ORDER BY i.id FOR NO KEY UPDATE`.execute(tx.sql);
}

export async function getStatus(tx: WriteTx, operationId: string): Promise<string> {
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM sweep_operation WHERE id = ${operationId}`.execute(tx.sql);
  return rows[0]?.status as string;
}

/** Takes the transfer of an operation back that nobody has signed; false when it was signed. */
export async function voidPlanned(tx: WriteTx, operationId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE chain_intent SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
    WHERE sweep_operation_id = ${operationId} AND state = 'planned'`.execute(tx.sql);
  if (numAffectedRows === 0n) return false;
  await sql`
    UPDATE sweep_operation SET status = 'failed', problem = 'cancelled', version = version + 1, updated_at = now()
    WHERE id = ${operationId}`.execute(tx.sql);
  return true;
}

/** Asks that the nonce of a transfer that was sent be spent on nothing. */
export async function askCancel(tx: WriteTx, operationId: string): Promise<void> {
  await sql`UPDATE chain_intent SET is_cancel_asked = true
    WHERE sweep_operation_id = ${operationId} AND state = 'sent'`.execute(tx.sql);
}

/** Who ordered a payout, whether another person approved it, and what it pays in base units. */
export async function getOrder(
  tx: WriteTx,
  operationId: string,
): Promise<{ orderedById: string; wasApproved: boolean; units: bigint }> {
  const { rows } = await sql<{ ordered_by_id: string; was_approved: boolean; units: string }>`
    SELECT o.ordered_by_id, d.decided_by_id IS NOT NULL AS was_approved, o.amount_units::text AS units
    FROM sweep_operation o JOIN distribution d ON d.id = o.distribution_id
    WHERE o.id = ${operationId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`no distribution ordered payout ${operationId}`);
  return { orderedById: row.ordered_by_id, wasApproved: row.was_approved, units: BigInt(row.units) };
}

/** Counts a payout towards the approval limit as of now. */
export async function noteOrdered(tx: WriteTx, operationId: string): Promise<void> {
  await sql`UPDATE sweep_operation SET ordered_at = now() WHERE id = ${operationId}`.execute(tx.sql);
}

export async function listPayableIds(tx: WriteTx, operationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT y.id FROM payable y WHERE y.sweep_operation_id = ${operationId}
      AND ${communityInScope(tx, 'y.community_id')}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
