import {
  APPROVAL_WINDOW_HOURS,
  type OrderedLately,
  responsibleIds,
  type Vouched,
  WRITE_OFF_ACTS,
} from '@copydesk/domain/access';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { authorOf, isAnswerable, isUnvouched } from '../addresses/held.views.ts';
import { readVouching } from './vouching.views.ts';

/** A payout that is paid again, and who has ordered it then. */
export interface OrderedAgain {
  id: string;
  communityId: string;
  orderedById: string;
  units: bigint;
}

/**
 * Sums what was ordered in a community, and by a person anywhere, within the window of the approval limit: payouts, and
 * orders with amounts that leave. Declined ones do not count, nor do payouts whose shares are in another payout now. Failed and
 * cancelled payouts count because they can be paid again. What a person approved for a program counts as the person's,
 * and so do orders of accounts that the person made until an independent super admin has confirmed the account.
 * @param communityId null: no community
 */
export async function sumOrderedLately(
  tx: Tx,
  { communityId, ...how }: OrderedHow & { communityId: string | null },
): Promise<OrderedLately> {
  const { ofCommunity, byPerson } = await sumOrderedIn(tx, communityId === null ? [] : [communityId], how);
  return { byCommunity: communityId === null ? 0n : ofCommunity(communityId), byPerson };
}

interface OrderedHow {
  personId: string;
  /** An order that is decided now, so it does not count. */
  except?: string | null;
  /** Payouts that are ordered again now: they count once, as their orderer's, whenever they were ordered before. */
  again?: readonly OrderedAgain[];
}

/** The same in several communities. */
export async function sumOrderedIn(
  tx: Tx,
  communityIds: readonly string[],
  { personId, except = null, again = [] }: OrderedHow,
): Promise<{ ofCommunity(id: string): bigint; byPerson: bigint }> {
  const ordered = sql`(
    SELECT o.community_id, o.ordered_by_id AS by_id, o.amount_units FROM payout o
    WHERE o.ordered_at > now() - make_interval(hours => ${sql.lit(APPROVAL_WINDOW_HOURS)})
      AND (o.problem IS NULL OR o.problem NOT IN ('declined', 'sent_again'))
      AND o.id <> ALL (${again.map(({ id }) => id)}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}
    UNION ALL
    SELECT * FROM unnest(${again.map((o) => o.communityId)}::uuid[], ${again.map((o) => o.orderedById)}::text[],
      ${again.map((o) => o.units.toString())}::numeric[])
    UNION ALL
    SELECT o.community_id, CASE WHEN 'by_program' = ANY (o.needs) THEN o.decided_by_id ELSE o.requested_by_id END,
      o.amount_units
    FROM money_order o
    WHERE o.requested_at > now() - make_interval(hours => ${sql.lit(APPROVAL_WINDOW_HOURS)})
      AND o.amount_units > 0 AND o.state IN ('awaiting_approval', 'approved') AND o.id IS DISTINCT FROM ${except}::uuid
      AND o.act <> ALL (${[...WRITE_OFF_ACTS]}::text[])
      AND ${communityInScope(tx, 'o.community_id')}) o`;
  const [{ rows: sums }, { rows: persons }] = await Promise.all([
    sql<{ id: string; units: string }>`SELECT o.community_id AS id, sum(o.amount_units)::text AS units
      FROM ${ordered} WHERE o.community_id = ANY (${[...communityIds]}::uuid[]) GROUP BY 1`.execute(tx.sql),
    sql<{ id: string; units: string }>`SELECT o.by_id AS id, sum(o.amount_units)::text AS units
      FROM ${ordered} WHERE o.by_id IS NOT NULL GROUP BY 1`.execute(tx.sql),
  ]);
  const byCommunity = new Map(sums.map(({ id, units }) => [id, BigInt(units)]));
  return {
    ofCommunity: (id) => byCommunity.get(id) ?? 0n,
    byPerson: await sumOfPerson(tx, personId, persons),
  };
}

/** Sums what a person wrote off within the window. Restored amounts do not count. */
export async function sumWrittenOff(tx: Tx, personId: string): Promise<OrderedLately> {
  const { rows } = await sql<{ id: string; units: string }>`
    SELECT w.by_id AS id, w.units::text FROM app.written_off_lately() w`.execute(tx.sql);
  return { byCommunity: 0n, byPerson: await sumOfPerson(tx, personId, rows) };
}

/** Adds what accounts that count as this person did. */
async function sumOfPerson(
  tx: Tx,
  personId: string,
  persons: readonly { id: string; units: string }[],
): Promise<bigint> {
  const known = await readVouching(tx, [personId, ...persons.map(({ id }) => id)]);
  const responsible = new Set(responsibleFor(known, personId));
  return persons
    .filter(({ id }) => responsibleFor(known, id).some((other) => responsible.has(other)))
    .reduce((sum, { units }) => sum + BigInt(units), 0n);
}

/**
 * Whether one of these addresses was set last by this person, by a program of it, or by an account that it
 * invited, promoted or reset, and no other person has released it: the person would then pay to an address of
 * its own.
 * @param traderIds whose payout addresses are paid
 */
export async function hasPartInAddresses(
  tx: Tx,
  personId: string,
  traderIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT ${authorOf('c')} AS id FROM payout_address_change c
    WHERE c.owner_kind = 'trader' AND c.owner_id = ANY (${[...traderIds]}::text[]) AND ${isUnvouched('c')}`.execute(
    tx.sql,
  );
  return isAnswerable(
    tx,
    personId,
    rows.map(({ id }) => id),
  );
}

/**
 * Serializes people's orders across communities until the transaction ends, because concurrent orders would not see
 * each other. Accounts that count as one person share a lock. Take the locks of the communities first.
 */
export async function lockOrdersOf(tx: WriteTx, personIds: readonly string[]): Promise<void> {
  const known = await readVouching(tx, personIds);
  const locked = new Set(personIds.flatMap((id) => responsibleFor(known, id)));
  for (const id of [...locked].toSorted())
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.orders ${id}`}, 0))`.execute(tx.sql);
}

function responsibleFor(known: ReadonlyMap<string, Vouched>, id: string): readonly string[] {
  return responsibleIds(known.get(id) ?? { id, isConfirmed: false, sponsorIds: [] });
}
