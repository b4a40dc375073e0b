import type { LedgerSource, RecipientType } from '@copydesk/domain';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { EndedTransfer } from './transfer.ts';

// What became of transfers, written down. The worker's own, in the scope of everything.

/**
 * In the order of their ids. Everything that changes payouts locks in this order, as far as it locks: a wallet,
 * communities, transfers by id, payouts.
 */
export async function lockCommunities(tx: WriteTx, communityIds: readonly string[]): Promise<void> {
  await sql`SELECT FROM community WHERE id = ANY (${[...new Set(communityIds)]}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx.sql);
}

export async function saveReceipts(tx: WriteTx, ended: readonly EndedTransfer[]): Promise<void> {
  const receipts = ended.map(({ receipt }) => receipt);
  await sql`
    UPDATE transfer_attempt t SET block_number = n.block_number, block_hash = n.block_hash, is_success = n.is_success,
      fee_wei = n.fee_wei
    FROM unnest(${ended.map(({ attempt }) => attempt.hash)}::text[],
      ${receipts.map(({ blockNumber }) => blockNumber.toString())}::bigint[],
      ${receipts.map(({ blockHash }) => blockHash)}::text[],
      ${receipts.map(({ isSuccess }) => isSuccess)}::boolean[],
      ${receipts.map(({ feeWei }) => feeWei.toString())}::numeric[])
      AS n (hash, block_number, block_hash, is_success, fee_wei)
    WHERE t.hash = n.hash`.execute(tx.sql);
}

export async function endTransfers(
  tx: WriteTx,
  ended: readonly { transferId: string; state: EndedTransfer['state'] }[],
  at: Date,
): Promise<void> {
  await sql`
    UPDATE transfer i SET state = n.state, ended_at = ${at}, problem = NULL, problem_detail = NULL
    FROM unnest(${ended.map(({ transferId }) => transferId)}::uuid[], ${ended.map(({ state }) => state)}::text[])
      AS n (id, state)
    WHERE i.id = n.id AND i.state = 'sent'`.execute(tx.sql);
}

/** What is set aside for these and neither posted nor voided, by type and id of the source. */
export async function listReservations(
  tx: WriteTx,
  sources: readonly LedgerSource[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ source: string; ids: string[] }>`
    SELECT concat_ws(' ', r.source_type, r.source_id) AS source, array_agg(r.id ORDER BY r.id) AS ids
    FROM unnest(${sources.map(({ type }) => type)}::text[], ${sources.map(({ id }) => id)}::text[]) AS n (type, id)
    JOIN ledger_reservation r ON r.source_type = n.type AND r.source_id = n.id
    WHERE NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id)
    GROUP BY r.source_type, r.source_id`.execute(tx.sql);
  return new Map(rows.map(({ source, ids }) => [source, ids]));
}

export interface PaidShare {
  invoiceId: string;
  providerId: string | null;
  recipientType: RecipientType;
  units: bigint;
}

/** What these payouts pay, by payout; shares of one invoice and role added up, as the ledger keeps them. */
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

/** Coin that the ledger knows of, in wei. One who asks holds up who else would spend it. */
export async function findGasBalance(tx: WriteTx): Promise<bigint> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.gas'))`.execute(tx.sql);
  const { rows } = await sql<{ posted: string }>`
    SELECT b.posted::text AS posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
    WHERE a.kind = 'gas_wallet' AND a.asset = 'BNB'`.execute(tx.sql);
  return BigInt(rows[0]?.posted ?? 0);
}

/** Payouts whose money has come into the community's wallet with these, the last of what they waited for. */
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

/**
 * The same for who does not wait: what is ready is ready the next time as well.
 * @returns whether all of them are locked
 */
export async function tryLockCommunities(tx: WriteTx, communityIds: readonly string[]): Promise<boolean> {
  const ids = [...new Set(communityIds)];
  const { rows } = await sql`SELECT FROM community WHERE id = ANY (${ids}::uuid[])
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows.length === ids.length;
}

/** Payouts whose money did not come: a person looks, and orders it again. */
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

/** Payouts whose own transfer ended: paid, or failed until a person has looked. */
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
