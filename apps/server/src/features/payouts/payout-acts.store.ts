import { sql } from 'kysely';
import { isOrdererGone } from '../../core/transfers/orders/standing.views.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/**
 * The communities of payouts, which never change, sorted so that all callers lock in one order; null when one
 * of the payouts does not exist.
 */
export async function findCommunitiesOf(tx: WriteTx, payoutIds: readonly string[]): Promise<string[] | null> {
  const { rows } = await sql<{ community_id: string; payouts: number }>`
    SELECT o.community_id, count(*)::int AS payouts FROM payout o
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}
    GROUP BY 1 ORDER BY 1`.execute(tx.sql);
  const found = rows.reduce((sum, { payouts }) => sum + payouts, 0);
  return found === new Set(payoutIds).size ? rows.map(({ community_id: id }) => id) : null;
}

/** Locks the transfers of payouts, so none is signed or concluded during a decision. */
export async function lockTransfersOf(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  const ids = [...payoutIds];
  // Two lookups, each with its own index; an OR of both would read all transfers.
  await sql`SELECT FROM transfer i
    WHERE i.id = ANY (ARRAY(
      SELECT o.id FROM transfer o WHERE o.payout_id = ANY (${ids}::uuid[])
      UNION SELECT y.consolidation_id FROM payable y WHERE y.payout_id = ANY (${ids}::uuid[])))
    ORDER BY i.id FOR NO KEY UPDATE`.execute(tx.sql);
}

/** A payout as it was ordered. */
interface PayoutOrder {
  id: string;
  communityId: string;
  orderedById: string;
  /** Whether that person may not order any more. */
  isOrdererGone: boolean;
  /** Whether another person approved it. */
  wasApproved: boolean;
  /** Base units. */
  units: bigint;
}

/** The orders behind payouts of distributions. */
export async function listOrders(tx: Tx, payoutIds: readonly string[]): Promise<PayoutOrder[]> {
  const { rows } = await sql<Omit<PayoutOrder, 'units'> & { units: string }>`
    SELECT o.id, o.community_id AS "communityId", o.ordered_by_id AS "orderedById",
      ${isOrdererGone('o.ordered_by_id')} AS "isOrdererGone", d.decided_by_id IS NOT NULL AS "wasApproved",
      o.amount_units::text AS units
    FROM payout o JOIN distribution d ON d.id = o.distribution_id
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}
    ORDER BY o.id`.execute(tx.sql);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}
