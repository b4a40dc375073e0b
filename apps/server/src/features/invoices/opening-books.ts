import {
  depositReceived,
  invoiceIssued,
  invoicePaid,
  type JournalDraft,
  type LedgerSource,
} from '@copydesk/domain';
import type { LockedInvoice } from './invoices.store.ts';

/**
 * The journals that an unpaid invoice should have had before it is touched: none for one that was made here. One that
 * was imported is issued now, and what had been paid on it comes in now, as its row says.
 * @param invoice as it was before the change; one that is settled by hand is taken as unpaid
 */
export function openingJournals(invoice: LockedInvoice): { draft: JournalDraft }[] {
  if (invoice.hasBooks) return [];
  const { paidUnits: units, traderId } = invoice;
  const source: LedgerSource = { type: 'opening', id: invoice.invoiceId };
  return [
    { draft: invoiceIssued(invoice) },
    ...(units > 0n
      ? [
          { draft: depositReceived(traderId, units, source) },
          { draft: invoicePaid(invoice, { paidUnits: 0n, units, source }) },
        ]
      : []),
  ];
}
