import type { RecipientType } from '@copydesk/domain';
import { sql } from 'kysely';
import type { EndedTransfer } from '../../core/transfers/transfer.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

// Every write of the table `payout`.

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

export async function getStatus(tx: WriteTx, payoutId: string): Promise<string> {
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM payout WHERE id = ${payoutId}`.execute(tx.sql);
  return rows[0]?.status as string;
}

/**
 * Sets the status of these payouts. A payout whose consolidations are all final may go out at once. Its hash is that of
 * the last consolidation.
 */
export async function startPayouts(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payout o SET version = o.version + 1, updated_at = now(), problem = NULL,
      status = CASE WHEN s.is_waiting THEN 'consolidating' ELSE 'consolidated' END,
      consolidate_transaction_hash = CASE WHEN NOT s.is_waiting THEN (
        SELECT t.hash FROM payable y JOIN transfer_attempt t ON t.transfer_id = y.consolidation_id
        WHERE y.payout_id = o.id AND t.is_success AND NOT t.is_cancel
        ORDER BY t.block_number DESC, t.hash LIMIT 1) END
    FROM (SELECT y.payout_id AS id, bool_or(c.state <> 'final') AS is_waiting
          FROM payable y JOIN transfer c ON c.id = y.consolidation_id
          WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]) GROUP BY y.payout_id) s
    WHERE o.id = s.id`.execute(tx.sql);
}

/** Counts a payout towards the approval limit as of now. */
export async function noteOrdered(tx: WriteTx, payoutId: string): Promise<void> {
  await sql`UPDATE payout SET ordered_at = now() WHERE id = ${payoutId}`.execute(tx.sql);
}

/** Marks payouts whose last outstanding consolidation is among these transfers. */
export async function moveConsolidated(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payout o SET status = 'consolidated', version = o.version + 1, updated_at = now(), problem = NULL,
      consolidate_transaction_hash = last.hash
    FROM (
      SELECT p.payout_id AS id, bool_and(c.state = 'final') AS is_whole,
        (array_agg(t.hash ORDER BY t.block_number DESC, t.hash))[1] AS hash
      FROM payable p
      JOIN transfer c ON c.id = p.consolidation_id
      LEFT JOIN transfer_attempt t ON t.transfer_id = c.id AND t.block_number IS NOT NULL
      WHERE p.payout_id IN (SELECT payout_id FROM payable
        WHERE consolidation_id = ANY (${[...transferIds]}::uuid[]))
      GROUP BY p.payout_id) last
    WHERE o.id = last.id AND last.is_whole AND o.status IN ('pending', 'consolidating')`.execute(tx.sql);
}

/** Marks payouts whose transfer was signed for the first time. */
export async function noteDistributing(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payout SET status = 'distributing', version = version + 1, updated_at = now(), problem = NULL
    WHERE id = ANY (${[...payoutIds]}::uuid[]) AND status IN ('pending', 'consolidating', 'consolidated')`.execute(
    tx.sql,
  );
}

/** Ends payouts whose own transfer ended: paid, or failed until reviewed. */
export async function endPayouts(
  tx: WriteTx,
  ended: readonly { payoutId: string; hash: string; state: EndedTransfer['state'] }[],
): Promise<void> {
  await sql`
    UPDATE payout o SET version = o.version + 1, updated_at = now(),
      status = CASE n.state WHEN 'final' THEN 'distributed' ELSE 'failed' END,
      problem = CASE n.state WHEN 'final' THEN NULL ELSE n.state END,
      distribute_transaction_hash = CASE n.state WHEN 'final' THEN n.hash END,
      consolidate_transaction_hash = coalesce(o.consolidate_transaction_hash, (
        SELECT t.hash FROM payable p JOIN transfer_attempt t ON t.transfer_id = p.consolidation_id AND t.block_number IS NOT NULL
        WHERE p.payout_id = o.id ORDER BY t.block_number DESC, t.hash LIMIT 1))
    FROM unnest(${ended.map(({ payoutId }) => payoutId)}::uuid[], ${ended.map(({ hash }) => hash)}::text[],
      ${ended.map(({ state }) => state)}::text[]) AS n (id, hash, state)
    WHERE o.id = n.id`.execute(tx.sql);
}

/** Fails payouts whose consolidation failed. They need review before they are ordered again. */
export async function failConsolidated(
  tx: WriteTx,
  transferIds: readonly string[],
  problem: string,
): Promise<void> {
  await sql`
    UPDATE payout o SET status = 'failed', version = o.version + 1, updated_at = now(),
      problem = ${problem}
    WHERE o.status IN ('pending', 'consolidating') AND o.id IN (
      SELECT payout_id FROM payable WHERE consolidation_id = ANY (${[...transferIds]}::uuid[]))`.execute(
    tx.sql,
  );
}

/** Fails payouts for a reason other than their consolidations. */
export async function failPayouts(tx: WriteTx, payoutIds: readonly string[], problem: string): Promise<void> {
  await sql`
    UPDATE payout o SET status = 'failed', problem = ${problem}, version = version + 1, updated_at = now()
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}`.execute(
    tx.sql,
  );
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
