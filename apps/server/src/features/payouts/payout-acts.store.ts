import { sql } from 'kysely';
import { isOrdererGone } from '../../core/transfers/orders/standing.views.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** The community of a payout, which never changes; null when the payout does not exist. */
export async function findCommunityOf(tx: WriteTx, payoutId: string): Promise<string | null> {
  const { rows } = await sql<{ community_id: string }>`
    SELECT o.community_id FROM payout o
    WHERE o.id = ${payoutId} AND ${communityInScope(tx, 'o.community_id')}`.execute(tx.sql);
  return rows[0]?.community_id ?? null;
}

/** Locks the transfers of a payout, so none is signed or concluded during a decision. */
export async function lockTransfersOf(tx: WriteTx, payoutId: string): Promise<void> {
  // Two lookups, each with its own index; an OR of both would read all transfers.
  await sql`SELECT FROM transfer i
    WHERE i.id = ANY (ARRAY(
      SELECT o.id FROM transfer o WHERE o.payout_id = ${payoutId}
      UNION SELECT y.consolidation_id FROM payable y WHERE y.payout_id = ${payoutId}))
    ORDER BY i.id FOR NO KEY UPDATE`.execute(tx.sql);
}

/**
 * The person who ordered a payout, whether it may not order any more, whether another person approved it, and its amount
 * in base units.
 */
export async function getOrder(
  tx: WriteTx,
  payoutId: string,
): Promise<{ orderedById: string; isOrdererGone: boolean; wasApproved: boolean; units: bigint }> {
  const { rows } = await sql<{
    ordered_by_id: string;
    is_gone: boolean;
    was_approved: boolean;
    units: string;
  }>`
    SELECT o.ordered_by_id, ${isOrdererGone('o.ordered_by_id')} AS is_gone, d.decided_by_id IS NOT NULL AS was_approved, o.amount_units::text AS units
    FROM payout o JOIN distribution d ON d.id = o.distribution_id
    WHERE o.id = ${payoutId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`no distribution ordered payout ${payoutId}`);
  return {
    orderedById: row.ordered_by_id,
    isOrdererGone: row.is_gone,
    wasApproved: row.was_approved,
    units: BigInt(row.units),
  };
}
