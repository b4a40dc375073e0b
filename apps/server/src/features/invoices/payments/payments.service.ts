import { randomUUID } from 'node:crypto';
import { type Allocation, allocatePayments } from '@copydesk/domain/invoices';
import { depositReceived, invoicePaid } from '@copydesk/domain/ledger';
import { type RawBuilder, sql } from 'kysely';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { takeBackAll } from '../../../core/ledger/reversals.service.ts';
import { listCancellations } from '../../../core/ledger/reversals.views.ts';
import { type QueuedNotice, queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import { lockTraders } from '../../../core/traders/lock-traders.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { type LockedInvoice, lockInvoices } from '../books/invoices.store.ts';
import { draftsOf, openingOf } from '../books/opening-books.ts';
import { saveOffPlatform } from '../books/openings/openings.store.ts';
import { paidNotices } from '../books/paid-notices.ts';
import * as store from './payments.store.ts';

export interface BookedPayment {
  paymentId: string;
  /** False when this source was already booked and this call booked no payment. */
  isNew: boolean;
}

/** Larger batches make slow statements. */
const MOST_AT_ONCE = 1_000;

/**
 * Books incoming money for traders. It pays the invoice that it equals, or the oldest unpaid ones first, the last one
 * possibly in part. A small surplus is a tip, a larger one stays as credit. Payments, ledger, invoices and payables change in one transaction.
 * @param tx in the scope of everything: the worker's
 * @returns the result of each payment, in their order
 * @throws Error when a source was booked before with another amount or trader
 */
export async function bookPayments(
  tx: WriteTx,
  payments: readonly store.IncomingPayment[],
): Promise<BookedPayment[]> {
  // Locks all traders first: taking locks in two steps could deadlock.
  await lockTraders(
    tx,
    payments.map(({ traderId }) => traderId),
  );
  const booked: BookedPayment[] = [];
  for (let from = 0; from < payments.length; from += MOST_AT_ONCE)
    booked.push(...(await bookTogether(tx, payments.slice(from, from + MOST_AT_ONCE))));
  return booked;
}

async function bookTogether(
  tx: WriteTx,
  payments: readonly store.IncomingPayment[],
): Promise<BookedPayment[]> {
  const made = new Map((await store.insertPayments(tx, payments)).map((one) => [sourceKey(one), one]));
  const before = await bookedBefore(
    tx,
    payments.filter((payment) => !made.has(sourceKey(payment))),
  );
  await bookMade(tx, [...made.values()]);
  return payments.map((payment) => {
    const key = sourceKey(payment);
    const { id } = (made.get(key) ?? before.get(key)) as store.KnownPayment;
    return { paymentId: id, isNew: made.has(key) };
  });
}

async function bookMade(tx: WriteTx, payments: readonly store.KnownPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await postJournals(
    tx,
    payments.map(({ traderId, units, source }) => ({ draft: depositReceived(traderId, units, source) })),
  );
  for (const { id, traderId, units, source } of payments)
    tx.audit({
      action: 'payment.booked',
      target: { kind: 'trader', id: traderId },
      after: { payment_id: id, units: units.toString(), source: `${source.type} ${source.id}` },
    });
  await applyOpenPayments(tx, [...new Set(payments.map(({ traderId }) => traderId))], {
    arrived: new Set(payments.map(({ id }) => id)),
  });
}

const sourceKey = ({ source }: Pick<store.IncomingPayment, 'source'>) => `${source.type} ${source.id}`;

/** Payments with a known source must be the same as before, or the whole call fails. */
async function bookedBefore(
  tx: WriteTx,
  payments: readonly store.IncomingPayment[],
): Promise<Map<string, store.KnownPayment>> {
  if (payments.length === 0) return new Map();
  const known = await store.listPayments(
    tx,
    payments.map(({ source }) => source),
  );
  const bySource = new Map(known.map((one) => [sourceKey(one), one]));
  for (const payment of payments) {
    const same = bySource.get(sourceKey(payment));
    if (same?.traderId !== payment.traderId || same.units !== payment.units)
      throw new Error(`${sourceKey(payment)} was booked as another payment`);
  }
  return bySource;
}

/** Clocks of programs differ: an order takes what was received this long before it. */
const SAME_TIME_MS = 600_000;

/**
 * Applies earlier payments of these traders to the invoices that are open now. The traders are locked. What was received
 * before an order with a bot is its buyer's credit, and pays the order only where the buyer itself ordered.
 * @param options.isOrderedByBuyer a buyer has just ordered
 * @param options.arrived payments that have just been booked: they may revive an order that ended
 * @returns how many invoices it paid
 */
export async function applyOpenPayments(
  tx: WriteTx,
  traderIds: readonly string[],
  {
    isOrderedByBuyer = false,
    arrived = new Set(),
  }: { isOrderedByBuyer?: boolean; arrived?: ReadonlySet<string> } = {},
): Promise<number> {
  const payments = Map.groupBy(await store.listOpenPayments(tx, traderIds), ({ traderId }) => traderId);
  if (payments.size === 0) return 0;
  const payers = [...payments.keys()];
  const tipUpToUnits = await store.readTipLimit(tx);
  const open = await invoicesByTrader(
    tx,
    sql`i.trader_id = ANY (${payers}::uuid[]) AND i.status = 'pending' AND i.harvest_cycle_id IS NULL`,
  );
  const ended =
    arrived.size === 0
      ? new Map<string, LockedInvoice[]>()
      : await invoicesByTrader(tx, sql`i.id IN (SELECT app.revivable_orders(${payers}::uuid[]))`);
  const lastPaid = await invoicesByTrader(tx, lastPaidOnChain(payers));
  const byTrader = payers.map((traderId) => {
    const invoices = open.get(traderId) ?? [];
    // Orders come after what is owed. Archived invoices are no longer outstanding: they are paid last.
    const turnOf = ({ isArchived, isOfBot }: LockedInvoice) => Number(isArchived) * 2 + Number(isOfBot);
    const inTurn = invoices.toSorted((a, b) => turnOf(a) - turnOf(b));
    return allocatePayments(payments.get(traderId) ?? [], inTurn, lastPaid.get(traderId)?.[0] ?? null, {
      tipUpToUnits,
      mayPay: ({ receivedAt }, { isOfBot, createdAt }) =>
        !isOfBot || isOrderedByBuyer || receivedAt.getTime() >= createdAt.getTime() - SAME_TIME_MS,
      ended: ended.get(traderId) ?? [],
      mayRevive: ({ paymentId }) => arrived.has(paymentId),
      isOrder: ({ isOfBot }) => isOfBot,
    });
  });
  const allocations = byTrader.flat();
  if (allocations.length === 0) return 0;
  const openings = openingsOf(allocations);
  await reviveOrders(tx, allocations);
  await postJournals(tx, draftsOf(openings));
  await saveOffPlatform(tx, openings, 'settled_before_check');
  await saveAllocated(tx, allocations);
  const notices = byTrader.flatMap((ofTrader) => {
    const received = payments.get(ofTrader[0]?.invoice.traderId ?? '') ?? [];
    const openUnits = received.reduce((sum, payment) => sum + payment.openUnits, 0n);
    return noticesOf(ofTrader, openUnits - ofTrader.reduce((sum, { units }) => sum + units, 0n));
  });
  if (notices.length > 0) await queueMessages(tx, notices);
  return allocations.filter(({ completes }) => completes).length;
}

async function saveAllocated(tx: WriteTx, allocations: readonly Allocation[]): Promise<void> {
  await postJournals(
    tx,
    allocations.map((allocation) => ({ draft: journalOf(allocation) })),
  );
  await store.saveAllocations(tx, allocations);
  audit(tx, allocations);
}

/** The invoice that a locked trader paid on chain last, or null. */
export async function findLastPaid(tx: WriteTx, traderId: string): Promise<LockedInvoice | null> {
  return (await lockInvoices(tx, lastPaidOnChain([traderId])))[0] ?? null;
}

/** Makes what is open of a payment a tip on an invoice that was paid on chain. Both are locked. */
export async function tipInvoice(
  tx: WriteTx,
  { paymentId, units }: { paymentId: string; units: bigint },
  invoice: LockedInvoice,
): Promise<void> {
  const { paidUnits } = invoice;
  await saveAllocated(tx, [
    { paymentId, invoice, paidUnits, units, tipUnits: units, completes: false, revives: false },
  ]);
}

/** Takes back that these orders were cancelled, before their payments are posted. */
async function reviveOrders(tx: WriteTx, allocations: readonly Allocation[]): Promise<void> {
  const ids = allocations.filter(({ revives }) => revives).map(({ invoice }) => invoice.invoiceId);
  if (ids.length > 0) await takeBackAll(tx, await listCancellations(tx, ids));
}

async function invoicesByTrader(
  tx: WriteTx,
  chosen: RawBuilder<unknown>,
): Promise<Map<string, LockedInvoice[]>> {
  return Map.groupBy(await lockInvoices(tx, chosen), ({ traderId }) => traderId);
}

const lastPaidOnChain = (traderIds: readonly string[]) => sql`i.id IN (
  SELECT last.id FROM unnest(${[...traderIds]}::uuid[]) AS payer (id), LATERAL (
    SELECT l.id FROM invoice l WHERE l.trader_id = payer.id AND l.status = 'paid' AND l.settled_by = 'chain'
    ORDER BY l.paid_at DESC, l.created_at DESC, l.id LIMIT 1) last)`;

/** An invoice paid before its import needs no books to take a tip. */
function openingsOf(allocations: readonly Allocation[]) {
  const invoices = new Set(allocations.map(({ invoice }) => invoice as LockedInvoice));
  return [...invoices].filter(({ status }) => status === 'pending').flatMap((i) => openingOf(i) ?? []);
}

/**
 * Each allocation is an act of its own: what is taken back and allocated again makes two journals. What was allocated
 * already is not open any more (`take_payments`), so no allocation is made twice.
 */
function journalOf({ paymentId, invoice, paidUnits, units }: Allocation) {
  const before = paidUnits < invoice.amountUnits ? paidUnits : invoice.amountUnits;
  const source = { type: 'invoice_payment', id: `${paymentId}:${invoice.invoiceId}:${randomUUID()}` };
  return invoicePaid(invoice, { paidUnits: before, units, source });
}

/** One entry per invoice, for any number of payments. */
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

/** The notices of one trader's paid invoices. @param creditUnits of its payments that nothing has taken */
function noticesOf(allocations: readonly Allocation[], creditUnits: bigint): QueuedNotice[] {
  const completing = allocations.filter(({ completes }) => completes);
  const last = completing.at(-1);
  if (!last) return [];
  const invoices = completing.map(({ invoice }) => invoice as LockedInvoice);
  const act = `${last.paymentId}:${last.invoice.invoiceId}`;
  return paidNotices(invoices, act, ({ offPlatformUnits }) => offPlatformUnits, creditUnits);
}
