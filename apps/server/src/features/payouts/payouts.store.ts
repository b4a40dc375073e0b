import type { RecipientType } from '@copydesk/domain/catalogue';
import { PAYOUT_MOVES, type PayoutEvent } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { EndedTransfer } from '../../core/transfers/transfer.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

// Every write of the table `payout`. Its status changes by the moves of `domain/payouts/payout-states.ts` only.

/** The condition and the assignment of a move, over `payout o`. */
const mayBe = (event: PayoutEvent) => sql`o.status = ANY (${[...PAYOUT_MOVES[event].from]}::text[])`;
const becomes = (event: PayoutEvent) =>
  event === 'sent_again'
    ? // It failed before, and keeps the time at which it did.
      sql`status = ${PAYOUT_MOVES[event].to}, version = o.version + 1`
    : sql`status = ${PAYOUT_MOVES[event].to}, version = o.version + 1, updated_at = now()`;

interface NewPayout {
  id: string;
  recipientType: RecipientType;
  address: string;
  units: bigint;
}

/** Inserts one payout per recipient. Its destination address never changes. */
export async function insertPayouts(
  tx: WriteTx,
  { communityId, distributionId }: { communityId: string; distributionId: string },
  payouts: readonly NewPayout[],
): Promise<void> {
  await sql`
    INSERT INTO payout (id, community_id, distribution_id, recipient_type, recipient_address, amount_units,
      ordered_at, ordered_by_id)
    SELECT n.id, ${communityId}::uuid, ${distributionId}::uuid, n.recipient_type, n.address, n.units, now(),
      ${tx.actor.id}
    FROM unnest(${payouts.map(({ id }) => id)}::uuid[], ${payouts.map((o) => o.recipientType)}::text[],
      ${payouts.map(({ address }) => address)}::text[],
      ${payouts.map(({ units }) => units.toString())}::numeric[])
      AS n (id, recipient_type, address, units)`.execute(tx.sql);
}

/** The statuses of payouts that exist, by their ids. */
export async function readStatuses(tx: WriteTx, payoutIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; status: string }>`
    SELECT id, status FROM payout WHERE id = ANY (${[...payoutIds]}::uuid[])`.execute(tx.sql);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/**
 * Starts payouts whose transfers were ordered. One whose consolidations are all final may go out at once; its hash is
 * that of the last consolidation.
 */
export async function startPayouts(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  const ofThese = sql`
    FROM (SELECT y.payout_id AS id, bool_or(c.state IS DISTINCT FROM 'final') AS is_waiting
          FROM payable y LEFT JOIN transfer c ON c.id = y.consolidation_id
          WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]) GROUP BY y.payout_id) s
    WHERE o.id = s.id`;
  await sql`
    UPDATE payout o SET ${becomes('ordered')}, problem = NULL, consolidate_transaction_hash = NULL
    ${ofThese} AND s.is_waiting AND ${mayBe('ordered')}`.execute(tx.sql);
  await sql`
    UPDATE payout o SET ${becomes('ordered_with_deposits')}, problem = NULL, consolidate_transaction_hash = (
        SELECT t.hash FROM payable y JOIN transfer_attempt t ON t.transfer_id = y.consolidation_id
        WHERE y.payout_id = o.id AND t.is_success AND NOT t.is_cancel
        ORDER BY t.block_number DESC, t.hash LIMIT 1)
    ${ofThese} AND NOT s.is_waiting AND ${mayBe('ordered_with_deposits')}`.execute(tx.sql);
}

/** A payout that is paid again. */
interface Repeated {
  id: string;
  orderedById: string;
  /** Who approved that it is paid again; null: it needed no approval. */
  approvedById: string | null;
}

/** Counts payouts towards the approval limit as of now. */
export async function recordOrdered(tx: WriteTx, payouts: readonly Repeated[]): Promise<void> {
  await sql`UPDATE payout o SET ordered_at = now(), ordered_by_id = n.by_id, approved_by_id = n.approved_by_id
    FROM unnest(${payouts.map(({ id }) => id)}::uuid[], ${payouts.map((o) => o.orderedById)}::text[],
      ${payouts.map((o) => o.approvedById)}::text[]) AS n (id, by_id, approved_by_id)
    WHERE o.id = n.id`.execute(tx.sql);
}

/** Marks payouts whose last outstanding consolidation is among these transfers. */
export async function moveConsolidated(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payout o SET ${becomes('deposits_arrived')}, problem = NULL, consolidate_transaction_hash = last.hash
    FROM (
      SELECT p.payout_id AS id, bool_and(c.state IS NOT DISTINCT FROM 'final') AS is_whole,
        (array_agg(t.hash ORDER BY t.block_number DESC, t.hash))[1] AS hash
      FROM payable p
      LEFT JOIN transfer c ON c.id = p.consolidation_id
      LEFT JOIN transfer_attempt t ON t.transfer_id = c.id AND t.block_number IS NOT NULL
      WHERE p.payout_id IN (SELECT payout_id FROM payable
        WHERE consolidation_id = ANY (${[...transferIds]}::uuid[]))
      GROUP BY p.payout_id) last
    WHERE o.id = last.id AND last.is_whole AND ${mayBe('deposits_arrived')}`.execute(tx.sql);
}

/** Marks payouts whose transfer was signed for the first time. */
export async function recordDistributing(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payout o SET ${becomes('signed')}, problem = NULL
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${mayBe('signed')}`.execute(tx.sql);
}

/** A transfer to a recipient that ended. */
interface Ended {
  payoutId: string;
  hash: string;
}

/** Notes payouts as paid. */
export async function recordPaid(tx: WriteTx, ended: readonly Ended[]): Promise<void> {
  await sql`
    UPDATE payout o SET ${becomes('paid')}, problem = NULL, distribute_transaction_hash = n.hash,
      consolidate_transaction_hash = ${knownConsolidation}
    FROM ${listOf(ended)} WHERE o.id = n.id AND ${mayBe('paid')}`.execute(tx.sql);
}

/** Fails payouts whose own transfer moved nothing. They need review before they are ordered again. */
export async function recordNothingMoved(
  tx: WriteTx,
  ended: readonly (Ended & { state: EndedTransfer['state'] })[],
): Promise<void> {
  await sql`
    UPDATE payout o SET ${becomes('moved_nothing')}, distribute_transaction_hash = NULL,
      problem = (${ended.map(({ state }) => state)}::text[])[n.place::int],
      consolidate_transaction_hash = ${knownConsolidation}
    FROM ${listOf(ended)} WHERE o.id = n.id AND ${mayBe('moved_nothing')}`.execute(tx.sql);
}

const listOf = (ended: readonly Ended[]) => sql`unnest(${ended.map(({ payoutId }) => payoutId)}::uuid[],
  ${ended.map(({ hash }) => hash)}::text[]) WITH ORDINALITY AS n (id, hash, place)`;
const knownConsolidation = sql`coalesce(o.consolidate_transaction_hash, (
  SELECT t.hash FROM payable p JOIN transfer_attempt t ON t.transfer_id = p.consolidation_id AND t.block_number IS NOT NULL
  WHERE p.payout_id = o.id ORDER BY t.block_number DESC, t.hash LIMIT 1))`;

/** Fails payouts whose consolidation failed. They need review before they are ordered again. */
export async function failConsolidated(
  tx: WriteTx,
  transferIds: readonly string[],
  problem: string,
): Promise<void> {
  await sql`
    UPDATE payout o SET ${becomes('deposits_failed')}, problem = ${problem}
    WHERE ${mayBe('deposits_failed')} AND o.id IN (
      SELECT payout_id FROM payable WHERE consolidation_id = ANY (${[...transferIds]}::uuid[]))`.execute(
    tx.sql,
  );
}

/**
 * Fails payouts by a person's decision, or because their transfer was given up.
 * @throws when one of them cannot fail this way: the caller has decided on a state that has changed
 */
export async function failPayouts(
  tx: WriteTx,
  payoutIds: readonly string[],
  event: 'declined' | 'taken_back' | 'sent_again' | 'moved_nothing',
  problem: string,
): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE payout o SET ${becomes(event)}, problem = ${problem}
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${mayBe(event)}
      AND ${communityInScope(tx, 'o.community_id')}`.execute(tx.sql);
  if (Number(numAffectedRows) !== payoutIds.length)
    throw new Error(`a payout of ${payoutIds.join()} cannot be ${event} in its status`);
}

/** Notes which payout has the shares of one that was ordered again. */
export async function recordReplaced(
  tx: WriteTx,
  payoutId: string,
  payableIds: readonly string[],
): Promise<void> {
  await sql`
    UPDATE payout o SET replaced_by_id = (
      SELECT y.payout_id FROM payable y WHERE y.id = ANY (${[...payableIds]}::uuid[]) AND y.payout_id IS NOT NULL
      GROUP BY y.payout_id ORDER BY sum(y.amount_units) DESC, y.payout_id LIMIT 1)
    WHERE o.id = ${payoutId} AND ${communityInScope(tx, 'o.community_id')}`.execute(tx.sql);
}

/** Reduces payouts by the amounts of shares that left them. */
export async function reducePayouts(
  tx: WriteTx,
  taken: readonly { payoutId: string; units: bigint }[],
): Promise<void> {
  await sql`
    UPDATE payout o SET amount_units = o.amount_units - n.units, version = o.version + 1, updated_at = now()
    FROM (SELECT id, sum(units) AS units FROM unnest(${taken.map(({ payoutId }) => payoutId)}::uuid[],
        ${taken.map(({ units }) => units.toString())}::numeric[]) AS s (id, units) GROUP BY id) n
    WHERE o.id = n.id`.execute(tx.sql);
}
