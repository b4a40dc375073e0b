import { type Allocation, allocatePayments, depositReceived, invoicePaid } from '@copydesk/domain';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { InvoiceDeps } from '../invoice-deps.ts';
import { type LockedInvoice, lockInvoices, lockTraders } from '../invoices.store.ts';
import { openingJournals } from '../opening-books.ts';
import { paidNotices } from '../paid-notices.ts';
import * as store from './payments.store.ts';

export interface BookedPayment {
  paymentId: string;
  /** False when this source was booked before: nothing was booked now. */
  isNew: boolean;
}

/**
 * Books money that came in for a trader: it pays the oldest unpaid invoices first, in part where it must, and what is
 * above them is a tip. Payment, ledger, invoices and what becomes payable are one transaction.
 * @param tx in the scope of everything: the worker's
 * @throws Error when the source was booked before with another amount or trader
 */
export async function bookPayment(
  tx: WriteTx,
  deps: InvoiceDeps,
  payment: store.IncomingPayment,
): Promise<BookedPayment> {
  const { traderId, units, source } = payment;
  await lockTraders(tx, [traderId]);
  const paymentId = await store.insertPayment(tx, payment);
  if (paymentId === null) {
    const before = await store.findPayment(tx, source);
    if (before?.trader_id !== traderId || before.amount !== units.toString())
      throw new Error(`${source.type} ${source.id} was booked as another payment`);
    return { paymentId: before.id, isNew: false };
  }
  await deps.books.post(tx, [{ draft: depositReceived(traderId, units, source) }]);
  tx.audit({
    action: 'payment.booked',
    target: { kind: 'trader', id: traderId },
    after: { payment_id: paymentId, units: units.toString(), source: `${source.type} ${source.id}` },
  });
  await applyOpenPayments(tx, deps, [traderId]);
  return { paymentId, isNew: true };
}

/**
 * Puts what these traders paid before to the invoices that are open now. The traders are locked.
 * @returns how many invoices were paid with it
 */
export async function applyOpenPayments(
  tx: WriteTx,
  deps: InvoiceDeps,
  traderIds: readonly string[],
): Promise<number> {
  const payments = await store.listOpenPayments(tx, traderIds);
  let paid = 0;
  for (const traderId of new Set(payments.map((payment) => payment.traderId))) {
    const open = await lockInvoices(tx, sql`i.trader_id = ${traderId} AND i.status = 'pending'`);
    // What was archived is not waited for: it is paid when nothing else is open.
    const inTurn = [...open.filter((i) => !i.isArchived), ...open.filter((i) => i.isArchived)];
    const [lastPaid] = await lockInvoices(tx, lastPaidOnChain(traderId));
    const ofTrader = payments.filter((payment) => payment.traderId === traderId);
    const allocations = allocatePayments(ofTrader, inTurn, lastPaid ?? null);
    if (allocations.length === 0) continue;
    await deps.books.post(tx, [...openingsOf(allocations), ...allocations.map(journalOf)]);
    await store.saveAllocations(tx, allocations);
    audit(tx, allocations);
    paid += await tellPaid(tx, deps, allocations);
  }
  return paid;
}

const lastPaidOnChain = (traderId: string) => sql`i.id = (
  SELECT l.id FROM invoice l WHERE l.trader_id = ${traderId} AND l.status = 'paid' AND l.settled_by = 'chain'
  ORDER BY l.paid_at DESC, l.created_at DESC, l.id LIMIT 1)`;

/** An invoice that was paid before it was imported needs no books to take a tip. */
function openingsOf(allocations: readonly Allocation[]) {
  const invoices = new Set(allocations.map(({ invoice }) => invoice as LockedInvoice));
  return [...invoices].filter(({ status }) => status === 'pending').flatMap(openingJournals);
}

function journalOf({ paymentId, invoice, paidUnits, units }: Allocation) {
  const before = paidUnits < invoice.amountUnits ? paidUnits : invoice.amountUnits;
  const source = { type: 'invoice_payment', id: `${paymentId}:${invoice.invoiceId}` };
  return { draft: invoicePaid(invoice, { paidUnits: before, units, source }) };
}

/** One entry an invoice, however many payments it was. */
function audit(tx: WriteTx, allocations: readonly Allocation[]): void {
  const paid = new Map<LockedInvoice, { status: LockedInvoice['status']; units: bigint }>();
  for (const { invoice: allocated, units, completes } of allocations) {
    const invoice = allocated as LockedInvoice;
    const { status, units: before } = paid.get(invoice) ?? { ...invoice, units: invoice.paidUnits };
    paid.set(invoice, { status: completes ? 'paid' : status, units: before + units });
  }
  for (const [{ invoiceId, status, paidUnits }, after] of paid)
    tx.audit({
      action: 'invoice.paid',
      target: { kind: 'invoice', id: invoiceId },
      before: { status, paid_units: paidUnits.toString() },
      after: { status: after.status, paid_units: after.units.toString() },
    });
}

async function tellPaid(
  tx: WriteTx,
  { tell }: InvoiceDeps,
  allocations: readonly Allocation[],
): Promise<number> {
  const completing = allocations.filter(({ completes }) => completes);
  const last = completing.at(-1);
  if (!last) return 0;
  const invoices = completing.map(({ invoice }) => invoice as LockedInvoice);
  await tell(tx, paidNotices(invoices, `${last.paymentId}:${last.invoice.invoiceId}`));
  return completing.length;
}
