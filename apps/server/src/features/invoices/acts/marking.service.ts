import { randomUUID } from 'node:crypto';
import { decideMarking, invoiceIssued, invoiceSettledByHand } from '@copydesk/domain';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { takeBackAll } from '../../../core/ledger/reversals.service.ts';
import { queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import { withdrawMessages } from '../../../core/outbox/queue-messages.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import * as store from '../books/invoices.store.ts';
import { draftsOf, openingOf } from '../books/opening-books.ts';
import { saveOffPlatform } from '../books/openings/openings.store.ts';
import { paidKey, paidNotices } from '../books/paid-notices.ts';
import { applyOpenPayments } from '../payments/payments.service.ts';

/** A trader is not told at once that a person marked it as paid: persons mistake rows, and undo it. */
const SECOND_THOUGHTS_MS = 30_000;

export interface Changes {
  changed: number;
  unchanged: number;
}

/**
 * Marks locked invoices as paid off-platform, or as unpaid again: all of them or, by an error, none.
 * @param leavesCancelled whether a cancelled one among others is left as it is; else it is an error
 * @throws ApiError `invoice_cancelled`, `invoice_paid_on_chain`, `payout_made`
 */
export async function markInvoices(
  tx: WriteTx,
  invoices: readonly store.LockedInvoice[],
  { isPaid, leavesCancelled }: { isPaid: boolean; leavesCancelled: boolean },
): Promise<Changes> {
  const changed = invoices.filter((invoice) => {
    const decision = decideMarking(invoice, isPaid);
    if (decision === 'change') return true;
    if (decision === 'unchanged' || (decision === 'invoice_cancelled' && leavesCancelled)) return false;
    throw refusal(decision, invoices, isPaid);
  });
  if (changed.length > 0) await (isPaid ? markPaid : markUnpaid)(tx, changed);
  for (const { invoiceId, status } of changed)
    tx.audit({
      action: isPaid ? 'invoice.marked_paid' : 'invoice.marked_unpaid',
      target: { kind: 'invoice', id: invoiceId },
      before: { status },
      after: { status: isPaid ? 'paid' : 'pending' },
    });
  return { changed: changed.length, unchanged: invoices.length - changed.length };
}

async function markPaid(tx: WriteTx, invoices: readonly store.LockedInvoice[]): Promise<void> {
  // Marked, taken back and marked again, it is another settlement.
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

/** All of it that did not come in on chain. */
const openUntilNow = ({ amountUnits, paidUnits, offPlatformUnits }: store.LockedInvoice) =>
  amountUnits - paidUnits + offPlatformUnits;

async function markUnpaid(tx: WriteTx, invoices: readonly store.LockedInvoice[]): Promise<void> {
  // What else the trader was told, of payments that came in, stays told.
  await withdrawMessages(
    tx,
    invoices.flatMap(({ settlementId, traderId }) =>
      settlementId ? paidKey(settlementId.split(':')[0] as string, traderId) : [],
    ),
  );
  const settlements = invoices.flatMap(({ settlementJournalId }) => settlementJournalId ?? []);
  if (settlements.length > 0) await takeBackAll(tx, settlements);
  // One that was imported as settled has nothing to take back: from now on it is owed.
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
  // What came in while nothing was owed pays it at once.
  await applyOpenPayments(
    tx,
    invoices.map(({ traderId }) => traderId),
  );
}

/** Says the reason, and of how many among several. */
function refusal(
  code: 'invoice_cancelled' | 'invoice_paid_on_chain' | 'payout_made',
  invoices: readonly store.LockedInvoice[],
  isPaid: boolean,
): ApiError {
  const count = invoices.filter((invoice) => decideMarking(invoice, isPaid) === code).length;
  if (invoices.length === 1) return new ApiError(code);
  const because = {
    invoice_cancelled: 'were cancelled',
    invoice_paid_on_chain: 'were paid on chain',
    payout_made: 'were paid out in part or in full',
  }[code];
  return new ApiError(code, {
    message: `${count} of ${invoices.length} invoices ${because}: none was marked as ${isPaid ? 'paid' : 'unpaid'}`,
  });
}
