import { type SplitPart, scaleSplit } from '../invoices/split.ts';
import { leastOf } from '../money/order-units.ts';
import {
  buildJournal,
  type JournalDraft,
  type JournalKind,
  type LedgerSource,
  type Movement,
} from './ledger.ts';
import { ledgerAccount } from './ledger-accounts.ts';
import { LedgerError } from './ledger-error.ts';

/** An invoice's data for the ledger. Amounts are USDT base units. */
export interface LedgerInvoice {
  invoiceId: string;
  traderId: string;
  providerId: string | null;
  amountUnits: bigint;
  /** As frozen on the invoice at its creation. */
  split: readonly SplitPart[];
  /**
   * The imported part of the payment that was never found on chain: settled off-platform, so it never becomes payable.
   * 0 for every invoice issued here.
   */
  offPlatformUnits: bigint;
}

/** The invoice is issued: its whole amount is receivable, and billed until its recipients are known. */
export function invoiceIssued(invoice: LedgerInvoice): JournalDraft {
  checkSplit(invoice);
  return journal('invoice_issued', ofInvoice(invoice), invoice, [
    {
      debit: ledgerAccount.receivable(invoice),
      credit: ledgerAccount.billed(invoice),
      units: invoice.amountUnits,
    },
  ]);
}

/**
 * A trader's payment is applied to its invoice. The payment that completes the invoice turns the billed amount into
 * payables by the frozen split; any surplus is the tip. Later payments are tips entirely.
 * @param paidUnits paid before
 * @param units this payment, above zero
 * @param source the payment, distinct from others of the same invoice
 * @throws LedgerError `amount_out_of_range` or `split_differs`
 */
export function invoicePaid(
  invoice: LedgerInvoice,
  { paidUnits, units, source }: { paidUnits: bigint; units: bigint; source: LedgerSource },
): JournalDraft {
  checkSplit(invoice);
  const outstanding = outstandingUnits(invoice, paidUnits);
  if (units <= 0n) throw new LedgerError('amount_out_of_range', `a payment of ${units}`);
  const toInvoice = leastOf(units, outstanding);
  const completes = outstanding > 0n && toInvoice === outstanding;
  const deposit = ledgerAccount.traderDeposit(invoice.traderId);
  return journal('invoice_paid', source, invoice, [
    { debit: deposit, credit: ledgerAccount.receivable(invoice), units: toInvoice },
    { debit: deposit, credit: ledgerAccount.payable(invoice, 'tip'), units: units - toInvoice },
    ...(completes ? toPayables(invoice) : []),
  ]);
}

/**
 * The rest was settled off-platform, so it does not become payable. Earlier payments are held until an operator
 * decides.
 * @param source the act of marking; marking again after undoing is a new one
 */
export function invoiceSettledByHand(
  invoice: LedgerInvoice,
  { paidUnits, source }: { paidUnits: bigint; source: LedgerSource },
): JournalDraft {
  return journal('invoice_settled_by_hand', source, invoice, [
    ...writtenOff(invoice, paidUnits),
    {
      debit: ledgerAccount.billed(invoice),
      credit: ledgerAccount.held(invoice),
      units: paidUnits - invoice.offPlatformUnits,
    },
  ]);
}

/**
 * A payment imported with the invoice is not on chain: that part of the invoice is settled off-platform.
 * @param units of the imported payment that were not found, above zero
 * @throws LedgerError `amount_out_of_range`
 */
export function invoiceSettledElsewhere(
  invoice: LedgerInvoice,
  { units, source }: { units: bigint; source: LedgerSource },
): JournalDraft {
  if (units <= 0n || units > invoice.amountUnits)
    throw new LedgerError('amount_out_of_range', `${units} of ${invoice.amountUnits} settled elsewhere`);
  return journal('invoice_settled_elsewhere', source, invoice, [
    { debit: ledgerAccount.billed(invoice), credit: ledgerAccount.receivable(invoice), units },
  ]);
}

/** The recipients' parts of a paid invoice: its frozen parts, less the amount settled off-platform. */
export function payableParts({ amountUnits, split, offPlatformUnits }: LedgerInvoice): readonly SplitPart[] {
  return scaleSplit(split, amountUnits - offPlatformUnits);
}

/** The invoice is no longer owed; earlier payments return to the trader, for other invoices. */
export function invoiceCancelled(invoice: LedgerInvoice, { paidUnits }: { paidUnits: bigint }): JournalDraft {
  return journal('invoice_cancelled', ofInvoice(invoice), invoice, [
    ...writtenOff(invoice, paidUnits),
    {
      debit: ledgerAccount.billed(invoice),
      credit: ledgerAccount.traderDeposit(invoice.traderId),
      units: paidUnits - invoice.offPlatformUnits,
    },
  ]);
}

/**
 * A coupon lowers what is owed on an invoice that nothing was paid on.
 * @param units of the discount, above zero and below the amount
 * @throws LedgerError `amount_out_of_range`
 */
export function invoiceDiscounted(invoice: LedgerInvoice, { units }: { units: bigint }): JournalDraft {
  if (units <= 0n || units >= invoice.amountUnits)
    throw new LedgerError('amount_out_of_range', `${units} off ${invoice.amountUnits}`);
  return journal('invoice_discounted', ofInvoice(invoice), invoice, [
    { debit: ledgerAccount.billed(invoice), credit: ledgerAccount.receivable(invoice), units },
  ]);
}

function toPayables(invoice: LedgerInvoice): Movement[] {
  return payableParts(invoice).map(({ recipientType, amountUnits }) => ({
    debit: ledgerAccount.billed(invoice),
    credit: ledgerAccount.payable(invoice, recipientType),
    units: amountUnits,
  }));
}

function writtenOff(invoice: LedgerInvoice, paidUnits: bigint): Movement[] {
  const units = outstandingUnits(invoice, paidUnits);
  if (units === 0n) throw new LedgerError('invoice_settled', invoice.invoiceId);
  return [{ debit: ledgerAccount.billed(invoice), credit: ledgerAccount.receivable(invoice), units }];
}

function outstandingUnits({ invoiceId, amountUnits }: LedgerInvoice, paidUnits: bigint): bigint {
  if (paidUnits < 0n || paidUnits > amountUnits)
    throw new LedgerError('amount_out_of_range', `${paidUnits} paid of ${amountUnits} of ${invoiceId}`);
  return amountUnits - paidUnits;
}

function checkSplit({ invoiceId, amountUnits, split }: LedgerInvoice): void {
  const sum = split.reduce((total, part) => total + part.amountUnits, 0n);
  if (sum !== amountUnits || split.some((part) => part.amountUnits <= 0n))
    throw new LedgerError('split_differs', `${sum} of ${amountUnits} of ${invoiceId}`);
}

function ofInvoice({ invoiceId }: LedgerInvoice): LedgerSource {
  return { type: 'invoice', id: invoiceId };
}

function journal(
  kind: JournalKind,
  source: LedgerSource,
  { providerId }: LedgerInvoice,
  movements: Movement[],
): JournalDraft {
  return buildJournal({ kind, source, providerId }, movements);
}
