import type { RecipientType } from '../catalogue.ts';
import { leastOf, mostOf } from '../money/order-units.ts';
import type { JournalDraft, LedgerSource } from './ledger.ts';
import { consolidated, depositReceived, distributed } from './ledger-chain.ts';
import { invoiceIssued, invoicePaid, invoiceSettledElsewhere, type LedgerInvoice } from './ledger-invoice.ts';

/** An imported invoice whose books are not open yet. Amounts are base units. */
export interface ImportedInvoice extends Omit<LedgerInvoice, 'offPlatformUnits'> {
  communityId: string;
  /** paid: its shares are owed or were paid out. pending: it may be paid in part. */
  status: 'pending' | 'paid';
  /** The payment according to the import. */
  paidUnits: bigint;
  /** Shares paid to their recipients before the import; none for a pending invoice. */
  paidOut: readonly { recipientType: RecipientType; units: bigint }[];
  /** Shares still owed; 0 for a pending invoice. */
  owedUnits: bigint;
}

/** The opening of one invoice's books. */
export interface Opening {
  invoice: ImportedInvoice;
  /** Tokens at the deposit address that back it. */
  backedUnits: bigint;
  /** The imported payment that is not on chain: settled off-platform. */
  offPlatformUnits: bigint;
}

/**
 * Decides how far the imported invoices of one trader are backed: by the tokens on chain at its deposit address that
 * are not in the books yet, oldest invoice first. The shares of a paid invoice are backed together or not at all; a
 * partial payment may be backed in part.
 * @param invoices of one trader, oldest first
 * @param foundUnits tokens at the deposit address beyond those in the books
 */
export function planOpening(invoices: readonly ImportedInvoice[], foundUnits: bigint): Opening[] {
  let left = mostOf(foundUnits, 0n);
  return invoices.map((invoice) => {
    const { status, paidUnits, owedUnits } = invoice;
    const wanted = status === 'paid' ? owedUnits : paidUnits;
    const backedUnits = status === 'paid' && left < wanted ? 0n : leastOf(left, wanted);
    left -= backedUnits;
    const missing = wanted - backedUnits;
    // Shares of a paid invoice that were paid out earlier need no backing on chain.
    return {
      invoice,
      backedUnits,
      offPlatformUnits: status === 'paid' && missing > 0n ? invoice.amountUnits : missing,
    };
  });
}

/**
 * The journals of an opening. A backed invoice was paid in and out as its rows say; for an unbacked one no money ever
 * moved on chain.
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
