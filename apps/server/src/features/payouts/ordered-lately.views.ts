import { APPROVAL_WINDOW_HOURS, type OrderedLately, responsibleIds, type Vouched } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { readVouching } from '../identity/vouching.views.ts';

/**
 * Sums the orders of a person in a community within the window of the approval limit. Declined payouts do not count,
 * nor do payouts whose shares are in another payout now. Failed and cancelled payouts count because they can be paid
 * again. Orders of accounts that the person made count as the person's own until an independent super admin has
 * confirmed the account.
 * @param except a payout that is ordered again now, so it counts once
 */
export async function sumOrderedLately(
  tx: Tx,
  { communityId, personId, except = null }: { communityId: string; personId: string; except?: string | null },
): Promise<OrderedLately> {
  const counted = sql`o.ordered_at > now() - make_interval(hours => ${sql.lit(APPROVAL_WINDOW_HOURS)})
    AND (o.problem IS NULL OR o.problem NOT IN ('declined', 'sent_again')) AND o.id IS DISTINCT FROM ${except}::uuid
    AND ${communityInScope(tx, 'o.community_id')}`;
  const [{ rows: sums }, { rows: persons }] = await Promise.all([
    sql<{ units: string }>`SELECT coalesce(sum(o.amount_units), 0)::text AS units FROM payout o
      WHERE o.community_id = ${communityId} AND ${counted}`.execute(tx.sql),
    sql<{ id: string; units: string }>`SELECT o.ordered_by_id AS id, sum(o.amount_units)::text AS units
      FROM payout o WHERE o.ordered_by_id IS NOT NULL AND ${counted} GROUP BY 1`.execute(tx.sql),
  ]);
  const known = await readVouching(tx, [personId, ...persons.map(({ id }) => id)]);
  const responsible = new Set(responsibleFor(known, personId));
  const byPerson = persons
    .filter(({ id }) => responsibleFor(known, id).some((other) => responsible.has(other)))
    .reduce((sum, { units }) => sum + BigInt(units), 0n);
  return { byCommunity: BigInt(sums[0]?.units ?? 0), byPerson };
}

/**
 * Serializes a person's orders across communities until the transaction ends, because concurrent orders would not see
 * each other. Accounts that count as one person share a lock. Take the lock of the community first.
 */
export async function lockOrdersOf(tx: WriteTx, personId: string): Promise<void> {
  const known = await readVouching(tx, [personId]);
  for (const id of responsibleFor(known, personId).toSorted())
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.orders ${id}`}, 0))`.execute(tx.sql);
}

function responsibleFor(known: ReadonlyMap<string, Vouched>, id: string): readonly string[] {
  return responsibleIds(known.get(id) ?? { id, isConfirmed: false, sponsorIds: [] });
}
