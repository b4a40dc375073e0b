import type { RecipientType } from '@copydesk/domain';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

export interface NewDistribution {
  communityId: string;
  state: 'awaiting_approval' | 'approved';
  units: bigint;
}

/** Writes a distribution in the name of its requester. */
export async function insertDistribution(
  tx: WriteTx,
  { communityId, state, units }: NewDistribution,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
    VALUES (${communityId}, ${state}, ${units.toString()}, ${tx.actor.id}, ${tx.actor.name}) RETURNING id`.execute(
    tx.sql,
  );
  return rows[0]?.id as string;
}

export interface NewPayout {
  id: string;
  recipientType: RecipientType;
  address: string;
  units: bigint;
  payableIds: readonly string[];
}

/** Inserts one payout per recipient with its shares, and fixes their destination address. */
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
  const paid = payouts.flatMap(({ id, payableIds }) => payableIds.map((payableId) => [id, payableId]));
  const { numAffectedRows } = await sql`
    UPDATE payable y SET payout_id = o.id, recipient_address = o.recipient_address
    FROM unnest(${paid.map(([id]) => id)}::uuid[], ${paid.map(([, payableId]) => payableId)}::uuid[])
      AS n (payout_id, payable_id)
    JOIN payout o ON o.id = n.payout_id
    WHERE y.id = n.payable_id AND y.payout_id IS NULL`.execute(tx.sql);
  if (Number(numAffectedRows) !== paid.length)
    throw new Error('a share was distributed meanwhile: its community was not locked');
}

/** The amount that a payout pays from one account of an invoice. */
export interface ShareSum {
  payoutId: string;
  invoiceId: string;
  providerId: string | null;
  recipientType: RecipientType;
  units: bigint;
}

/** Sums of these payouts by invoice, because an invoice may have several tips. */
export async function listShares(tx: WriteTx, payoutIds: readonly string[]): Promise<ShareSum[]> {
  const { rows } = await sql<{
    payout_id: string;
    invoice_id: string;
    provider_id: string | null;
    recipient_type: RecipientType;
    units: string;
  }>`
    SELECT y.payout_id, y.invoice_id, i.provider_id, y.recipient_type,
      sum(y.amount_units)::text AS units
    FROM payable y JOIN invoice i ON i.id = y.invoice_id
    WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'y.community_id')}
    GROUP BY y.payout_id, y.invoice_id, i.provider_id, y.recipient_type`.execute(tx.sql);
  return rows.map((row) => ({
    payoutId: row.payout_id,
    invoiceId: row.invoice_id,
    providerId: row.provider_id,
    recipientType: row.recipient_type,
    units: BigInt(row.units),
  }));
}

/** The community of a distribution, which never changes; null when the distribution does not exist. */
export async function findCommunityOf(tx: WriteTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ community_id: string }>`
    SELECT d.community_id FROM distribution d
    WHERE d.id = ${id} AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
  return rows[0]?.community_id ?? null;
}

export interface LockedDistribution {
  id: string;
  communityId: string;
  state: 'awaiting_approval' | 'approved' | 'declined';
  requestedById: string;
  units: string;
  payoutIds: string[];
}

/** Reads a distribution under the lock of its community. Every decision about a distribution takes this lock. */
export async function getLockedDistribution(tx: WriteTx, id: string): Promise<LockedDistribution> {
  const { rows } = await sql<LockedDistribution>`
    SELECT d.id, d.community_id AS "communityId", d.state, d.requested_by_id AS "requestedById",
      d.amount_units::text AS units,
      ARRAY(SELECT o.id FROM payout o WHERE o.distribution_id = d.id ORDER BY o.id) AS "payoutIds"
    FROM distribution d WHERE d.id = ${id} AND ${communityInScope(tx, 'd.community_id')}
    FOR NO KEY UPDATE`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`there is no distribution ${id}`);
  return row;
}

/** Records the decision and its author. */
export async function decide(tx: WriteTx, id: string, state: 'approved' | 'declined'): Promise<void> {
  await sql`
    UPDATE distribution d SET state = ${state}, decided_by_id = ${tx.actor.id}, decided_by = ${tx.actor.name},
      decided_at = now()
    WHERE d.id = ${id} AND d.state = 'awaiting_approval'
      AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
}

/** Makes shares pending again and marks their payouts failed. */
export async function takeBackPayouts(
  tx: WriteTx,
  payoutIds: readonly string[],
  problem: string,
): Promise<void> {
  await sql`
    UPDATE payable y SET payout_id = NULL
    WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[])
      AND ${communityInScope(tx, 'y.community_id')}`.execute(tx.sql);
  await sql`
    UPDATE payout o SET status = 'failed', problem = ${problem}, version = version + 1, updated_at = now()
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}`.execute(
    tx.sql,
  );
}
