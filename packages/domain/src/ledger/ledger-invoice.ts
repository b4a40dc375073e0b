import { type SplitPart, scaleSplit } from '../invoices/split.ts';
import {
  buildJournal,
  type JournalDraft,
  type JournalKind,
  type LedgerSource,
  type Movement,
} from './ledger.ts';
import { ledgerAccount } from './ledger-accounts.ts';
import { LedgerError } from './ledger-error.ts';

/** What the ledger has to know of an invoice. Amounts are USDT base units. */
export interface LedgerInvoice {
  invoiceId: string;
  traderId: string;
  providerId: string | null;
  amountUnits: bigint;
  /** As frozen on the invoice at its creation. */
  split: readonly SplitPart[];
  /**
   * What of the paid part was imported and never found on chain: settled off the platform, so nothing of it becomes
   * payable. 0 for every invoice that was made here.
   */
  offPlatformUnits: bigint;
}

/** The invoice is owed: its whole amount is receivable, and billed until it is known who gets it. */
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
 * What a trader paid in goes to its invoice. The payment that completes the invoice turns what was billed into
 * payables by the frozen split; what is above it is the tip. Tips that follow are payments of nothing else.
 * @param paidUnits what was paid before
 * @param units this payment, above zero
 * @param source the payment, told apart from others of the same invoice
 */
export function invoicePaid(
  invoice: LedgerInvoice,
  { paidUnits, units, source }: { paidUnits: bigint; units: bigint; source: LedgerSource },
): JournalDraft {
  checkSplit(invoice);
  const outstanding = outstandingUnits(invoice, paidUnits);
  if (units <= 0n) throw new LedgerError('amount_out_of_range', `a payment of ${units}`);
  const toInvoice = units < outstanding ? units : outstanding;
  const completes = outstanding > 0n && toInvoice === outstanding;
  const deposit = ledgerAccount.traderDeposit(invoice.traderId);
  return journal('invoice_paid', source, invoice, [
    { debit: deposit, credit: ledgerAccount.receivable(invoice), units: toInvoice },
    { debit: deposit, credit: ledgerAccount.payable(invoice, 'tip'), units: units - toInvoice },
    ...(completes ? toPayables(invoice) : []),
  ]);
}

/**
 * The rest was settled off-platform: nothing becomes payable. What had come in before is held until a person decides.
 * @param source the act of marking it; taken back and done again, it is another one
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
 * A payment that was imported with the invoice and is not on chain: that much of the invoice is settled off the platform.
 * @param units of the imported payment that were not found, above zero
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

/** What recipients get of an invoice that is paid: its frozen parts, less what was settled off the platform. */
export function payableParts({ amountUnits, split, offPlatformUnits }: LedgerInvoice): readonly SplitPart[] {
  return offPlatformUnits === 0n ? split : scaleSplit(split, amountUnits - offPlatformUnits);
}

/** Nothing is owed any more; what had come in is the trader's again, for its other invoices. */
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
