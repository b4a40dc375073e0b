import { APPROVAL_WINDOW_HOURS, type OrderedLately } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/**
 * What a community and a person ordered within the window of the approval limit: payouts that were declined, or
 * whose shares another payout has by now, do not count. Those that failed or were cancelled do: they can be paid again.
 * @param except a payout that is ordered again now, which counts once
 */
export async function sumOrderedLately(
  tx: Tx,
  { communityId, personId, except = null }: { communityId: string; personId: string; except?: string | null },
): Promise<OrderedLately> {
  const counted = sql`o.ordered_at > now() - make_interval(hours => ${sql.lit(APPROVAL_WINDOW_HOURS)})
    AND (o.problem IS NULL OR o.problem NOT IN ('declined', 'sent_again')) AND o.id IS DISTINCT FROM ${except}::uuid
    AND ${communityInScope(tx, 'o.community_id')}`;
  const { rows } = await sql<{ community: string; person: string }>`
    SELECT (SELECT coalesce(sum(o.amount_units), 0) FROM sweep_operation o
        WHERE o.community_id = ${communityId} AND ${counted})::text AS community,
      (SELECT coalesce(sum(o.amount_units), 0) FROM sweep_operation o
        WHERE o.ordered_by_id = ${personId} AND ${counted})::text AS person`.execute(tx.sql);
  return { byCommunity: BigInt(rows[0]?.community ?? 0), byPerson: BigInt(rows[0]?.person ?? 0) };
}

/**
 * Lets a person order payouts in one community at a time until the transaction ends: two orders at once would not see
 * each other. The lock of the community comes first.
 */
export async function lockOrdersOf(tx: WriteTx, personId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.orders ${personId}`}, 0))`.execute(
    tx.sql,
  );
}
