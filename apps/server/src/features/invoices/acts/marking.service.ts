import { randomUUID } from 'node:crypto';
import type { OrderContent } from '@copydesk/domain/access';
import { decideMarking, type MarkingRefusal } from '@copydesk/domain/invoices';
import { invoiceIssued, invoiceSettledByHand } from '@copydesk/domain/ledger';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { takeBackAll } from '../../../core/ledger/reversals.service.ts';
import { queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import { withdrawMessages } from '../../../core/outbox/queue-messages.store.ts';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import type { OrderRules, Waits } from '../../../core/transfers/orders/place-order.ts';
import { GONE, orderWriteOff, writeOffContent } from '../../../core/transfers/orders/write-off.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from '../books/invoices.store.ts';
import { draftsOf, openingOf } from '../books/opening-books.ts';
import { saveOffPlatform } from '../books/openings/openings.store.ts';
import { paidKey, paidNotices } from '../books/paid-notices.ts';
import { applyOpenPayments } from '../payments/payments.service.ts';

/**
 * Delay before a trader is notified of an invoice marked as paid by hand: an operator may have picked the wrong row and
 * undo it.
 */
const SECOND_THOUGHTS_MS = 30_000;

export interface Changes {
  changed: number;
  unchanged: number;
}

/**
 * Marks locked invoices as paid off-platform, or as unpaid again: all of them or, on an error, none. What is unpaid is
 * written off, by an order.
 * @param leavesCancelled whether to skip cancelled invoices among others instead of throwing
 * @throws Refusal `invoice_cancelled`, `invoice_paid_on_chain`, `payout_made`, `other_order_open`,
 * `order_waits`, `write_off_reason_required`
 */
export async function markInvoices(
  tx: WriteTx,
  rules: OrderRules,
  invoices: readonly store.LockedInvoice[],
  {
    isPaid,
    leavesCancelled,
    reason,
  }: { isPaid: boolean; leavesCancelled: boolean; reason: string | undefined },
): Promise<Changes | Waits> {
  const changed = invoices.filter((invoice) => {
    const decision = decideMarking(invoice, isPaid);
    if (decision === 'change') return true;
    if (decision === 'unchanged') return false;
    // Among others, invoices that no person settles are left as they are.
    if (leavesCancelled && (decision === 'invoice_cancelled' || decision === 'invoice_of_pool')) return false;
    throw refusal(decision, invoices, isPaid);
  });
  if (!isPaid) refuseTwoOrders(changed);
  if (isPaid && changed.length > 0) {
    const waits = await orderWriteOff(tx, rules, 'invoices_paid_off_platform', { invoices: changed, reason });
    if (waits.order_id) return waits;
  }
  await save(tx, changed, { isPaid, reason });
  return { changed: changed.length, unchanged: invoices.length - changed.length };
}

/** Marks one invoice. @throws Refusal `not_found`, and as `markInvoices` */
export async function markInvoice(
  tx: WriteTx,
  rules: OrderRules,
  id: string,
  { isPaid, reason }: { isPaid: boolean; reason: string | undefined },
): Promise<Changes | Waits> {
  const invoices = await store.lockByIds(tx, [id]);
  if (invoices.length === 0) throw new Refusal('not_found');
  return markInvoices(tx, rules, invoices, { isPaid, leavesCancelled: false, reason });
}

async function save(
  tx: WriteTx,
  changed: readonly store.LockedInvoice[],
  { isPaid, reason }: { isPaid: boolean; reason: string | undefined },
): Promise<void> {
  if (changed.length > 0) await (isPaid ? markPaid : markUnpaid)(tx, changed);
  for (const { invoiceId, status } of changed)
    tx.audit({
      action: isPaid ? 'invoice.marked_paid' : 'invoice.marked_unpaid',
      target: { kind: 'invoice', id: invoiceId },
      before: { status },
      after: { status: isPaid ? 'paid' : 'pending', ...(reason && { reason }) },
    });
}

const lockUnpaid = async (tx: WriteTx, { lines }: OrderContent) => {
  const invoices = await store.lockByIds(
    tx,
    lines.map(({ subjectId }) => subjectId),
  );
  return invoices.filter((invoice) => decideMarking(invoice, true) === 'change');
};

/** Marking as paid off-platform, above the limit of a person. */
export const markingAct: OrderAct = {
  gone: GONE,
  async lock(tx, { seen }) {
    await lockUnpaid(tx, seen);
  },
  async present(tx, { seen }) {
    return writeOffContent(tx, await lockUnpaid(tx, seen), seen.facts.reason);
  },
  async carryOut(tx, { seen }) {
    await save(tx, await lockUnpaid(tx, seen), { isPaid: true, reason: seen.facts.reason });
  },
};

async function markPaid(tx: WriteTx, invoices: readonly store.LockedInvoice[]): Promise<void> {
  // Each marking is a settlement of its own, so marking, undoing and marking again makes two.
  const act = randomUUID();
  const settlements = invoices.map((invoice) => ({
    draft: invoiceSettledByHand(invoice, {
      paidUnits: invoice.paidUnits,
      source: { type: 'marking', id: `${act}:${invoice.invoiceId}` },
    }),
  }));
  const opened = invoices.flatMap((invoice) => openingOf(invoice) ?? []);
  const posted = await postJournals(tx, [...settlements, ...draftsOf(opened)]);
  await saveOffPlatform(tx, opened, 'settled_before_check');
  await store.settleByHand(
    tx,
    invoices.map(({ invoiceId }, index) => ({ invoiceId, journalId: posted[index]?.id as string })),
  );
  await queueMessages(
    tx,
    paidNotices(invoices, act, openUntilNow).map((notice) => ({ ...notice, delayMs: SECOND_THOUGHTS_MS })),
  );
}

/** The whole part that was not paid on chain. */
const openUntilNow = ({ amountUnits, paidUnits, offPlatformUnits }: store.LockedInvoice) =>
  amountUnits - paidUnits + offPlatformUnits;

async function markUnpaid(tx: WriteTx, invoices: readonly store.LockedInvoice[]): Promise<void> {
  // Notices of on-chain payments remain.
  await withdrawMessages(
    tx,
    invoices.flatMap(({ settlementId, traderId }) =>
      settlementId ? paidKey(settlementId.split(':')[0] as string, traderId) : [],
    ),
  );
  const settlements = invoices.flatMap(({ settlementJournalId }) => settlementJournalId ?? []);
  if (settlements.length > 0) await takeBackAll(tx, settlements);
  // An invoice imported as settled has no settlement to reverse. It is owed from now on.
  const imported = invoices.filter(({ hasBooks }) => !hasBooks);
  if (imported.length > 0)
    await postJournals(
      tx,
      imported.map((invoice) => ({ draft: invoiceIssued(invoice) })),
    );
  await store.reopen(
    tx,
    invoices.map(({ invoiceId }) => invoiceId),
  );
  // Deposits received while no invoice was open pay it at once.
  await applyOpenPayments(
    tx,
    invoices.map(({ traderId }) => traderId),
  );
}

/** A buyer may have one open order, so two that would become open together are refused too. */
function refuseTwoOrders(changed: readonly store.LockedInvoice[]): void {
  const buyers = changed.filter(({ isOfBot }) => isOfBot).map(({ traderId }) => traderId);
  if (new Set(buyers).size < buyers.length) throw new Refusal('other_order_open');
}

/** Returns the reason, with the number of affected invoices among several. */
function refusal(code: MarkingRefusal, invoices: readonly store.LockedInvoice[], isPaid: boolean): Refusal {
  const count = invoices.filter((invoice) => decideMarking(invoice, isPaid) === code).length;
  if (invoices.length === 1) return new Refusal(code);
  const because = {
    invoice_cancelled: 'were cancelled',
    invoice_of_pool: 'are settled by a pool',
    invoice_paid_on_chain: 'were paid on chain',
    payout_made: 'were paid out in part or in full',
    other_order_open: 'are of buyers with another open order',
  }[code];
  return new Refusal(code, {
    message: `${count} of ${invoices.length} invoices ${because}: none was marked as ${isPaid ? 'paid' : 'unpaid'}`,
  });
}
