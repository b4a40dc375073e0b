import type { RecipientType } from '@copydesk/domain';
import { sql } from 'kysely';
import type { EndedTransfer } from '../../../core/transfers/transfer.ts';
import type { WriteTx } from '../../../platform/db/database.ts';

// Outcomes of payouts as their transfers proceed. For the worker only, which runs in the scope of everything.

export interface PaidShare {
  invoiceId: string;
  providerId: string | null;
  recipientType: RecipientType;
  units: bigint;
}

/** The shares that these payouts pay, by payout, summed by invoice and role as the ledger keeps them. */
export async function listPaidPayables(
  tx: WriteTx,
  payoutIds: readonly string[],
): Promise<Map<string, PaidShare[]>> {
  const { rows } = await sql<{
    payout_id: string;
    invoice_id: string;
    provider_id: string | null;
    recipient_type: RecipientType;
    units: string;
  }>`
    SELECT payout_id, invoice_id, provider_id, recipient_type,
      sum(amount_units)::text AS units
    FROM payable WHERE payout_id = ANY (${[...payoutIds]}::uuid[])
    GROUP BY 1, 2, 3, 4`.execute(tx.sql);
  const shares = new Map<string, PaidShare[]>();
  for (const row of rows) {
    const ofPayout = shares.get(row.payout_id) ?? [];
    ofPayout.push({
      invoiceId: row.invoice_id,
      providerId: row.provider_id,
      recipientType: row.recipient_type,
      units: BigInt(row.units),
    });
    shares.set(row.payout_id, ofPayout);
  }
  return shares;
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
  const paid = ended.filter(({ state }) => state === 'final').map(({ payoutId }) => payoutId);
  await sql`UPDATE payable SET paid_at = now() WHERE payout_id = ANY (${paid}::uuid[])`.execute(tx.sql);
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

/** Fails payouts whose transfers were abandoned manually. */
export async function failPayouts(tx: WriteTx, payoutIds: readonly string[], problem: string): Promise<void> {
  await sql`
    UPDATE payout SET status = 'failed', problem = ${problem}, version = version + 1, updated_at = now()
    WHERE id = ANY (${[...payoutIds]}::uuid[])`.execute(tx.sql);
}
