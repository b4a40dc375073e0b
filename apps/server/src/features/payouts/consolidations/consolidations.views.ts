import { MOVED_NOTHING } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

/**
 * An amount to consolidate from a trader's deposit address: everything it holds for a community that is not on its way
 * yet.
 */
export interface Consolidation {
  communityId: string;
  traderId: string;
  units: bigint;
  payableIds: string[];
  /** Earlier consolidations of these shares, which moved nothing. */
  failedIds: string[];
}

export const ofPayouts = (payoutIds: readonly string[]) => sql`y.payout_id = ANY (${[...payoutIds]}::uuid[])`;
export const ofPayables = (payableIds: readonly string[]) => sql`y.id = ANY (${[...payableIds]}::uuid[])`;

/**
 * `isFree` of the domain over `payable y`: plan, order and retry all ask this. Undelivered shares whose tokens may be
 * consolidated: none is ordered, or the ordered one moved nothing.
 */
export const isFreeShare = sql`(y.paid_at IS NULL AND y.settled_at IS NULL AND (y.consolidation_id IS NULL
  OR EXISTS (SELECT FROM transfer f WHERE f.id = y.consolidation_id AND f.state = ANY (${[...MOVED_NOTHING]}::text[]))))`;

/**
 * Lists the amounts that these shares need from deposit addresses. For each trader, it includes all undelivered shares of
 * its community, chosen or not, so the address is emptied once. It excludes shares of imported payouts because the location of their
 * tokens is unknown.
 * @param chosen a condition over `payable y`
 */
export async function listConsolidations(
  tx: Tx,
  communityIds: readonly string[],
  chosen: RawBuilder<unknown>,
): Promise<Consolidation[]> {
  const { rows } = await sql<{
    community_id: string;
    trader_id: string;
    units: string;
    payable_ids: string[];
    failed_ids: string[];
  }>`
    WITH concerned AS MATERIALIZED (
      SELECT DISTINCT y.community_id, i.trader_id FROM payable y JOIN invoice i ON i.id = y.invoice_id
      WHERE ${chosen} AND ${isFreeShare})
    SELECT y.community_id, i.trader_id, sum(y.amount_units)::text AS units, array_agg(y.id) AS payable_ids,
      array_remove(array_agg(DISTINCT y.consolidation_id), NULL) AS failed_ids
    FROM payable y
    JOIN invoice i ON i.id = y.invoice_id
    LEFT JOIN payout o ON o.id = y.payout_id
    WHERE y.community_id = ANY (${[...communityIds]}::uuid[]) AND ${communityInScope(tx, 'y.community_id')}
      AND ${isFreeShare}
      AND (y.payout_id IS NULL OR o.distribution_id IS NOT NULL)
      AND (y.community_id, i.trader_id) IN (SELECT c.community_id, c.trader_id FROM concerned c)
    GROUP BY y.community_id, i.trader_id ORDER BY i.trader_id, y.community_id`.execute(tx.sql);
  return rows.map((row) => ({
    communityId: row.community_id,
    traderId: row.trader_id,
    units: BigInt(row.units),
    payableIds: row.payable_ids,
    failedIds: row.failed_ids,
  }));
}
