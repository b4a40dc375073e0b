import type { QueuedNotice } from '../../../core/outbox/queue-messages.service.ts';
import type { LockedInvoice } from './invoices.store.ts';

/** Names what a trader is told of an act; a message goes by it. */
export const paidKey = (act: string, traderId: string) => `invoice_paid:${act}:${traderId}`;

/**
 * What traders are told when invoices of theirs are paid: one message each, however many invoices it were.
 * @param act id of what paid them: a payment, or a marking by hand
 * @param offPlatformOf what of an invoice was settled elsewhere
 */
export function paidNotices(
  invoices: readonly LockedInvoice[],
  act: string,
  offPlatformOf: (invoice: LockedInvoice) => bigint,
): QueuedNotice[] {
  const byTrader = new Map<string, LockedInvoice[]>();
  for (const invoice of invoices)
    byTrader.set(invoice.traderId, [...(byTrader.get(invoice.traderId) ?? []), invoice]);
  return [...byTrader].map(([traderId, paid]) => {
    const providers = new Set(paid.map(({ providerId }) => providerId));
    return {
      kind: 'invoice_paid',
      traderId,
      providerId: providers.size === 1 ? (paid[0]?.providerId ?? null) : null,
      invoiceId: paid.length === 1 ? (paid[0]?.invoiceId ?? null) : null,
      dedupeKey: paidKey(act, traderId),
      facts: {
        amountUnits: paid.reduce((sum, { amountUnits }) => sum + amountUnits, 0n),
        outstandingUnits: 0n,
        offPlatformUnits: paid.reduce((sum, invoice) => sum + offPlatformOf(invoice), 0n),
        invoiceCount: paid.length,
        dueAt: null,
        paymentAddress: null,
      },
    };
  });
}
