import type { RecipientType } from '../catalogue.ts';
import type { JournalDraft, LedgerSource } from './ledger.ts';
import { consolidated, depositReceived, distributed } from './ledger-chain.ts';
import { invoiceIssued, invoicePaid, invoiceSettledElsewhere, type LedgerInvoice } from './ledger-invoice.ts';

/** An invoice that was imported and whose books are not open yet. Amounts are base units. */
export interface ImportedInvoice extends Omit<LedgerInvoice, 'offPlatformUnits'> {
  communityId: string;
  /** paid: its shares are owed or were paid out. pending: it may be paid in part. */
  status: 'pending' | 'paid';
  /** What the import says came in for it. */
  paidUnits: bigint;
  /** Shares that their recipients have had before the import; none of a pending invoice. */
  paidOut: readonly { recipientType: RecipientType; units: bigint }[];
  /** Shares that are still owed; 0 for a pending invoice. */
  owedUnits: bigint;
}

/** What the books of one invoice begin with. */
export interface Opening {
  invoice: ImportedInvoice;
  /** Tokens at the deposit address that back it. */
  backedUnits: bigint;
  /** What the import says came in and is not there: settled off the platform. */
  offPlatformUnits: bigint;
}

/**
 * Decides what backs the imported invoices of one trader: the tokens that the chain says are at its deposit address and
 * that the books do not know of yet, oldest invoice first. The shares of a paid invoice are backed together or not at
 * all; a payment in part may be backed in part.
 * @param invoices of one trader, oldest first
 * @param foundUnits tokens at the deposit address beyond those in the books
 */
export function planOpening(invoices: readonly ImportedInvoice[], foundUnits: bigint): Opening[] {
  let left = foundUnits > 0n ? foundUnits : 0n;
  return invoices.map((invoice) => {
    const { status, paidUnits, owedUnits } = invoice;
    const wanted = status === 'paid' ? owedUnits : paidUnits;
    const backedUnits = left >= wanted ? wanted : status === 'paid' ? 0n : left;
    left -= backedUnits;
    const missing = wanted - backedUnits;
    // What of a paid invoice went out before is no matter of the chain any more.
    return {
      invoice,
      backedUnits,
      offPlatformUnits: status === 'paid' && missing > 0n ? invoice.amountUnits : missing,
    };
  });
}

/**
 * The journals that an opening takes. An invoice whose shares are backed came in and went out as far as its rows say; of
 * one that is not backed nothing ever moved on chain.
 */
export function openingJournals({ invoice, backedUnits, offPlatformUnits }: Opening): JournalDraft[] {
  const { invoiceId, traderId, communityId, providerId, status, paidUnits, paidOut } = invoice;
  const source: LedgerSource = { type: 'opening', id: invoiceId };
  const issued = { ...invoice, offPlatformUnits };
  const elsewhere =
    offPlatformUnits > 0n ? [invoiceSettledElsewhere(issued, { units: offPlatformUnits, source })] : [];
  if (status === 'pending')
    return [
      invoiceIssued(issued),
      ...elsewhere,
      ...(backedUnits > 0n
        ? [
            depositReceived(traderId, backedUnits, source),
            invoicePaid(issued, { paidUnits: offPlatformUnits, units: backedUnits, source }),
          ]
        : []),
    ];
  if (offPlatformUnits > 0n) return [invoiceIssued(issued), ...elsewhere];
  const gone = paidOut.reduce((sum, { units }) => sum + units, 0n);
  return [
    invoiceIssued(issued),
    depositReceived(traderId, paidUnits, source),
    invoicePaid(issued, { paidUnits: 0n, units: paidUnits, source }),
    ...(gone > 0n
      ? [
          consolidated(communityId, [{ traderId, units: gone }], source),
          distributed(
            communityId,
            paidOut.map((share) => ({ invoiceId, providerId, ...share })),
            source,
          ),
        ]
      : []),
  ];
}
