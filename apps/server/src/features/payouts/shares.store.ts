import type { RecipientType } from '@copydesk/domain/catalogue';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

// The payables that a payout pays, and the consolidations that back them.

/** Assigns payables to new payouts and fixes their destination addresses. */
export async function claimShares(
  tx: WriteTx,
  payouts: readonly { id: string; payableIds: readonly string[] }[],
): Promise<void> {
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
interface ShareSum {
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
    SELECT y.payout_id, y.invoice_id, y.provider_id, y.recipient_type, sum(y.amount_units)::text AS units
    FROM payable y
    WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'y.community_id')}
    GROUP BY y.payout_id, y.invoice_id, y.provider_id, y.recipient_type`.execute(tx.sql);
  return rows.map((row) => ({
    payoutId: row.payout_id,
    invoiceId: row.invoice_id,
    providerId: row.provider_id,
    recipientType: row.recipient_type,
    units: BigInt(row.units),
  }));
}

export async function listPayableIds(tx: WriteTx, payoutId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT y.id FROM payable y WHERE y.payout_id = ${payoutId}
      AND ${communityInScope(tx, 'y.community_id')}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** Makes the shares of these payouts pending again. */
export async function releaseShares(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payable y SET payout_id = NULL
    WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[])
      AND ${communityInScope(tx, 'y.community_id')}`.execute(tx.sql);
}

/** Makes some shares of a payout pending again, and records that they left it. */
export async function returnShares(tx: WriteTx, payableIds: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO payout_returned_share (payout_id, payable_id, amount_units, consolidation_id)
    SELECT y.payout_id, y.id, y.amount_units, y.consolidation_id
    FROM payable y WHERE y.id = ANY (${[...payableIds]}::uuid[])`.execute(tx.sql);
  await sql`UPDATE payable y SET payout_id = NULL WHERE y.id = ANY (${[...payableIds]}::uuid[])`.execute(
    tx.sql,
  );
}

/** Marks the shares of these payouts as paid. */
export async function recordSharesPaid(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await sql`UPDATE payable SET paid_at = now() WHERE payout_id = ANY (${[...payoutIds]}::uuid[])`.execute(
    tx.sql,
  );
}
