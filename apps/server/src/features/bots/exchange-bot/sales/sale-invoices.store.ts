import type { RecipientType } from '@copydesk/domain/catalogue';
import type { InvoicePlan, SplitPart } from '@copydesk/domain/invoices';
import type { LedgerInvoice } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { lockTradersWhere } from '../../../../core/traders/lock-traders.store.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';

const splitText = (split: readonly SplitPart[]) =>
  JSON.stringify(
    split.map((part) => ({ recipient_type: part.recipientType, units: part.amountUnits.toString() })),
  );

/** Inserts the invoice of a sale. It has no provider, so only super admins see it. */
export async function insertSaleInvoice(
  tx: WriteTx,
  invoice: InvoicePlan & { invoiceId: string; traderId: string; communityId: string; paymentAddress: string },
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO invoice (id, trader_id, community_id, invoice_type, amount_units, payment_address, commission_rate,
      split, due_at, created_at, updated_at)
    VALUES (${invoice.invoiceId}, ${invoice.traderId}, ${invoice.communityId}, 'exchange_bot',
      ${invoice.amountUnits.toString()}, ${invoice.paymentAddress}, ${invoice.commissionRate},
      ${splitText(invoice.split)}::jsonb, ${invoice.dueAt}, ${at}, ${at})`.execute(tx.sql);
}

/** A sale with its invoice and its trader, all locked until the transaction ends. */
export interface LockedSale extends LedgerInvoice {
  status: 'pending' | 'paid' | 'cancelled';
  paidUnits: bigint;
  /** As it was when it was ordered. */
  communityPercentage: string;
  botId: string;
  planId: string;
  couponId: string | null;
  priceUnits: bigint;
  communityId: string;
}

interface Row {
  id: string;
  trader_id: string;
  community_id: string;
  amount: string;
  paid: string;
  status: LockedSale['status'];
  split: { recipient_type: RecipientType; units: string }[];
  community_percentage: string;
  bot_id: string;
  plan_id: string;
  coupon_id: string | null;
  price: string;
}

/**
 * Locks sales by their ids, after their traders in the order of their ids: the order of every change of invoices.
 */
export async function lockSales(tx: WriteTx, ids: readonly string[]): Promise<LockedSale[]> {
  await lockTradersWhere(
    tx,
    sql`t.id IN (SELECT s.trader_id FROM exchange_bot_sale s WHERE s.invoice_id = ANY (${[...ids]}::uuid[]))`,
  );
  const { rows } = await sql<Row>`
    SELECT i.id, i.trader_id, i.community_id, i.amount_units::text AS amount, i.paid_units::text AS paid, i.status,
      i.split, trim_scale(s.community_percentage)::text AS community_percentage, s.bot_id, s.plan_id, s.coupon_id, s.price_units::text AS price
    FROM exchange_bot_sale s JOIN invoice i ON i.id = s.invoice_id
    WHERE s.invoice_id = ANY (${[...ids]}::uuid[]) ORDER BY i.id FOR NO KEY UPDATE`.execute(tx.sql);
  return rows.map((row) => ({
    invoiceId: row.id,
    traderId: row.trader_id,
    providerId: null,
    communityId: row.community_id,
    amountUnits: BigInt(row.amount),
    split: row.split.map((part) => ({ recipientType: part.recipient_type, amountUnits: BigInt(part.units) })),
    offPlatformUnits: 0n,
    status: row.status,
    paidUnits: BigInt(row.paid),
    communityPercentage: row.community_percentage,
    botId: row.bot_id,
    planId: row.plan_id,
    couponId: row.coupon_id,
    priceUnits: BigInt(row.price),
  }));
}

/** Lowers the amount of an unpaid invoice. The database refuses it for any other. */
export async function saveDiscount(
  tx: WriteTx,
  invoiceId: string,
  { amountUnits, split }: Pick<InvoicePlan, 'amountUnits' | 'split'>,
): Promise<void> {
  await sql`UPDATE invoice SET amount_units = ${amountUnits.toString()}, split = ${splitText(split)}::jsonb,
    updated_at = now() WHERE id = ${invoiceId}`.execute(tx.sql);
}

export async function cancelInvoices(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await sql`UPDATE invoice SET status = 'cancelled', updated_at = now()
    WHERE id = ANY (${[...ids]}::uuid[])`.execute(tx.sql);
}

/** Ends an order of which a part was paid, by a function of the database: that part becomes credit. */
export async function endPartPaid(tx: WriteTx, invoiceId: string): Promise<void> {
  await sql`SELECT app.end_part_paid_order(${invoiceId})`.execute(tx.sql);
}
