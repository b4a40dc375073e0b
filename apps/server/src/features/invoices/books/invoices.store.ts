import type { RecipientType } from '@copydesk/domain/catalogue';
import type { MarkableInvoice } from '@copydesk/domain/invoices';
import type { LedgerInvoice } from '@copydesk/domain/ledger';
import { type RawBuilder, sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

/** An invoice locked until the transaction ends. */
export interface LockedInvoice extends LedgerInvoice, MarkableInvoice {
  communityId: string;
  paidUnits: bigint;
  isArchived: boolean;
  /** Whether it is an order with a bot, which notifies its buyer itself. */
  isOfBot: boolean;
  createdAt: Date;
  /** The journal of its manual settlement. */
  settlementJournalId: string | null;
  /** Id of that journal's source. */
  settlementId: string | null;
  /** False for an imported invoice that is unchanged since: the ledger has no entry for it yet. */
  hasBooks: boolean;
  paymentAddress: string;
  dueAt: Date;
}

interface Row {
  id: string;
  trader_id: string;
  provider_id: string | null;
  community_id: string;
  amount: string;
  paid: string;
  off_platform: string;
  status: LockedInvoice['status'];
  is_archived: boolean;
  split: { recipient_type: RecipientType; units: string }[];
  settlement_journal_id: string | null;
  settlement_id: string | null;
  payment_address: string;
  due_at: Date;
  created_at: Date;
  has_payout: boolean;
  is_of_pool: boolean;
  is_of_bot: boolean;
  has_books: boolean;
  has_other_open_order: boolean;
}

/** Whether an invoice `i` is an order with a bot whose buyer has another open one. */
export const hasOtherOpenOrder = sql<boolean>`(i.invoice_type = 'exchange_bot' AND EXISTS (
  SELECT FROM exchange_bot_sale s WHERE s.trader_id = i.trader_id AND s.invoice_id <> i.id
    AND s.sold_at IS NULL AND s.cancelled_because IS NULL))`;

/**
 * Locks the invoices in scope that match `chosen`, a condition over `invoice i`, and their traders; oldest first. Skips
 * invoices that match only since the traders were locked, because locking them out of order could deadlock. (NO KEY: a
 * message or payment that refers to an invoice holds its key, which never changes.)
 * @param most the maximum number of invoices
 */
export async function lockInvoices(
  tx: WriteTx,
  chosen: RawBuilder<unknown>,
  most?: number,
): Promise<LockedInvoice[]> {
  const { rows: traders } = await sql<{ id: string }>`SELECT t.id FROM trader t
    WHERE t.id IN (SELECT i.trader_id FROM invoice i WHERE ${chosen} AND ${providerInScope(tx, 'i.provider_id')})
    ORDER BY t.id FOR NO KEY UPDATE`.execute(tx.sql);
  if (traders.length === 0) return [];
  const { rows } = await sql<Row>`
    SELECT i.id, i.trader_id, i.provider_id, i.community_id, i.amount_units::text AS amount, i.paid_units::text AS paid,
      i.off_platform_units::text AS off_platform, i.status, i.is_archived, i.split, i.settlement_journal_id, i.payment_address, i.due_at,
      i.created_at,
      i.harvest_cycle_id IS NOT NULL AS is_of_pool, i.invoice_type = 'exchange_bot' AS is_of_bot,
      (SELECT j.source_id FROM journal j WHERE j.id = i.settlement_journal_id) AS settlement_id,
      EXISTS (SELECT FROM payable p WHERE p.invoice_id = i.id AND p.payout_id IS NOT NULL) AS has_payout,
      EXISTS (SELECT FROM journal j WHERE j.source_type = 'invoice' AND j.source_id = i.id::text
        AND j.kind = 'invoice_issued') AS has_books,
      ${hasOtherOpenOrder} AS has_other_open_order
    FROM invoice i
    WHERE i.trader_id = ANY (${traders.map(({ id }) => id)}::uuid[]) AND ${chosen}
      AND ${providerInScope(tx, 'i.provider_id')}
    ORDER BY i.created_at, i.id LIMIT ${most ?? null} FOR NO KEY UPDATE OF i`.execute(tx.sql);
  return rows.map(lockedInvoice);
}

/** The invoices in scope with these ids, locked, and their traders; oldest first. */
export const lockByIds = (tx: WriteTx, ids: readonly string[]): Promise<LockedInvoice[]> =>
  lockInvoices(tx, sql`i.id = ANY (${[...ids]}::uuid[])`);

function lockedInvoice(row: Row): LockedInvoice {
  return {
    invoiceId: row.id,
    traderId: row.trader_id,
    providerId: row.provider_id,
    communityId: row.community_id,
    amountUnits: BigInt(row.amount),
    paidUnits: BigInt(row.paid),
    // An imported invoice that has not been compared with the chain yet counts its payment as settled off-platform.
    offPlatformUnits: BigInt(!row.has_books && row.status === 'pending' ? row.paid : row.off_platform),
    status: row.status,
    isArchived: row.is_archived,
    split: row.split.map((part) => ({ recipientType: part.recipient_type, amountUnits: BigInt(part.units) })),
    settlementJournalId: row.settlement_journal_id,
    settlementId: row.settlement_id,
    hasBooks: row.has_books,
    isOfPool: row.is_of_pool,
    isOfBot: row.is_of_bot,
    wasPaidOnChain: row.paid !== '0',
    hasPayout: row.has_payout,
    hasOtherOpenOrder: row.has_other_open_order,
    paymentAddress: row.payment_address,
    dueAt: row.due_at,
    createdAt: row.created_at,
  };
}

export async function settleByHand(
  tx: WriteTx,
  settled: readonly { invoiceId: string; journalId: string }[],
): Promise<void> {
  await sql`
    UPDATE invoice i SET status = 'paid', settled_by = 'manual', paid_at = now(), updated_at = now(),
      settlement_journal_id = s.journal_id
    FROM unnest(${settled.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${settled.map(({ journalId }) => journalId)}::uuid[]) AS s (invoice_id, journal_id)
    WHERE i.id = s.invoice_id AND i.status = 'pending' AND ${providerInScope(tx, 'i.provider_id')}`.execute(
    tx.sql,
  );
}

export async function reopen(tx: WriteTx, invoiceIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE invoice i SET status = 'pending', settled_by = NULL, paid_at = NULL, updated_at = now(),
      settlement_journal_id = NULL
    WHERE i.id = ANY (${[...invoiceIds]}::uuid[]) AND i.status = 'paid' AND i.settled_by = 'manual'
      AND ${providerInScope(tx, 'i.provider_id')}`.execute(tx.sql);
}

export async function setArchived(
  tx: WriteTx,
  invoiceIds: readonly string[],
  isArchived: boolean,
): Promise<void> {
  await sql`
    UPDATE invoice i SET is_archived = ${isArchived}, updated_at = now()
    WHERE i.id = ANY (${[...invoiceIds]}::uuid[]) AND ${providerInScope(tx, 'i.provider_id')}`.execute(
    tx.sql,
  );
}
