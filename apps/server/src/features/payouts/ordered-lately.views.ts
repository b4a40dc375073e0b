import { APPROVAL_WINDOW_HOURS, type OrderedLately, responsibleIds, type Vouched } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { readVouching } from '../identity/vouching.views.ts';

/**
 * What a community and a person ordered within the window of the approval limit: payouts that were declined, or
 * whose shares another payout has by now, do not count. Those that failed or were cancelled do: they can be paid again.
 * Orders of accounts that the person made, and that no independent super admin has confirmed, count as the person's own.
 * @param except a payout that is ordered again now, which counts once
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
 * Lets a person order payouts in one community at a time until the transaction ends: two orders at once would not see
 * each other. Accounts that count as one person share a lock. The lock of the community comes first.
 */
export async function lockOrdersOf(tx: WriteTx, personId: string): Promise<void> {
  const known = await readVouching(tx, [personId]);
  for (const id of responsibleFor(known, personId).toSorted())
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.orders ${id}`}, 0))`.execute(tx.sql);
}

function responsibleFor(known: ReadonlyMap<string, Vouched>, id: string): readonly string[] {
  return responsibleIds(known.get(id) ?? { id, isConfirmed: false, sponsorIds: [] });
}
