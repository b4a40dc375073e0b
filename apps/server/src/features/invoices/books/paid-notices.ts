import type { QueuedNotice } from '../../../core/outbox/queue-messages.service.ts';
import type { LockedInvoice } from './invoices.store.ts';

/** The key of a trader's notice about an act; it identifies the message. */
export const paidKey = (act: string, traderId: string) => `invoice_paid:${act}:${traderId}`;

/**
 * Notices for traders whose invoices were paid: one message per trader for any number of invoices. Orders with a bot
 * are left to the bot: their buyers may not know the platform's.
 * @param act id of the payment or of the manual settlement
 * @param creditUnits what stays for later invoices; of one trader
 * @param offPlatformOf the part of an invoice that was settled off-platform
 */
export function paidNotices(
  invoices: readonly LockedInvoice[],
  act: string,
  offPlatformOf: (invoice: LockedInvoice) => bigint,
  creditUnits = 0n,
): QueuedNotice[] {
  const byTrader = new Map<string, LockedInvoice[]>();
  for (const invoice of invoices.filter(({ isOfBot }) => !isOfBot))
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
        creditUnits,
        invoiceCount: paid.length,
        dueAt: null,
        paymentAddress: null,
      },
    };
  });
}
