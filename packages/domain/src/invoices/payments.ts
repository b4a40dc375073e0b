import type { LedgerInvoice } from '../ledger/ledger-invoice.ts';
import { askedUnits } from '../money/token-units.ts';

/** A received amount that is not applied to an invoice yet. */
export interface OpenPayment {
  paymentId: string;
  openUnits: bigint;
}

export interface PayableInvoice extends LedgerInvoice {
  /** Paid on it before, in base units. */
  paidUnits: bigint;
  /** It is no longer outstanding: it is paid last, and never because of an equal amount. */
  isArchived: boolean;
}

/** The part of one payment that goes to one invoice. */
export interface Allocation {
  paymentId: string;
  invoice: PayableInvoice;
  /** Paid on the invoice before this. */
  paidUnits: bigint;
  units: bigint;
  /** The part of the units above the invoice's amount. */
  tipUnits: bigint;
  /** Whether it completes the invoice. */
  completes: boolean;
  /** Whether the invoice is an order that had ended. */
  revives: boolean;
}

/**
 * Applies payments to invoices. One that equals the open amount of exactly one of them pays that one, because its payer
 * meant it; any other pays in the given order, and part payments add up. A small rest after all are paid is a tip on the
 * invoice paid last. A larger rest stays open: it is the trader's credit, for later invoices.
 * @param payments oldest first
 * @param open unpaid invoices in the order in which they are paid
 * @param lastPaid the invoice that was paid on chain last, for a payment without an open invoice
 * @param rules.tipUpToUnits the largest tip, base units
 * @param rules.ended orders that ended lately and are revived by a payment of exactly their amount, where none that is open
 * has this amount; distinct ones, of which a trader revives one at a time
 * @param rules.mayPay whether a payment may go to an invoice; by default any may go to any
 * @param rules.mayRevive the same for orders that ended
 * @param rules.isOrder whether an invoice is an order: a buyer who has just paid one revives none that ended
 */
export function allocatePayments<P extends OpenPayment, I extends PayableInvoice>(
  payments: readonly P[],
  open: readonly I[],
  lastPaid: I | null,
  {
    tipUpToUnits,
    mayPay = () => true,
    ended = [],
    mayRevive = () => true,
    isOrder,
  }: {
    tipUpToUnits: bigint;
    mayPay?(payment: P, invoice: I): boolean;
    ended?: readonly I[];
    mayRevive?(payment: P, invoice: I): boolean;
    isOrder?(invoice: I): boolean;
  },
): Allocation[] {
  const allocations: Allocation[] = [];
  const waiting = open.map((invoice) => ({ invoice, paidUnits: invoice.paidUnits }));
  let revivable = [...ended];
  let last = lastPaid && { invoice: lastPaid, paidUnits: lastPaid.paidUnits };
  for (const payment of payments) {
    const { paymentId, openUnits } = payment;
    const ofPayment: Allocation[] = [];
    const allowed = waiting.filter(({ invoice }) => mayPay(payment, invoice));
    const isExactly = (outstanding: bigint) =>
      openUnits === outstanding || openUnits === askedUnits(outstanding);
    const meant = allowed.filter(
      ({ invoice, paidUnits }) => !invoice.isArchived && isExactly(invoice.amountUnits - paidUnits),
    );
    const late =
      meant.length > 0
        ? []
        : revivable.filter((order) => isExactly(order.amountUnits) && mayRevive(payment, order));
    const [revived] = late;
    if (revived && late.length === 1) {
      const { amountUnits } = revived;
      allocations.push({
        paymentId,
        invoice: revived,
        paidUnits: 0n,
        units: openUnits,
        tipUnits: openUnits - amountUnits,
        completes: true,
        revives: true,
      });
      last = { invoice: revived, paidUnits: openUnits };
      // The buyer has paid for the plan, so no other ended order is revived.
      revivable = [];
      continue;
    }
    const [only] = meant.length === 1 ? meant : [];
    // People are asked for whole millionths: the part that rounding added is no credit, however small tips
    // may be.
    const roundedUnits = only ? openUnits - (only.invoice.amountUnits - only.paidUnits) : 0n;
    let left = openUnits;
    for (const each of only ? [only] : allowed) {
      if (left === 0n) break;
      const { invoice, paidUnits } = each;
      const outstanding = invoice.amountUnits - paidUnits;
      const completes = left >= outstanding;
      const units = completes ? outstanding : left;
      ofPayment.push({ paymentId, invoice, paidUnits, units, tipUnits: 0n, completes, revives: false });
      left -= units;
      each.paidUnits += units;
      if (!completes) break;
      waiting.splice(waiting.indexOf(each), 1);
      last = each;
    }
    if (ofPayment.some(({ invoice, completes }) => completes && isOrder?.(invoice as I))) revivable = [];
    if (last && left > 0n && (left <= tipUpToUnits || left === roundedUnits)) {
      const { invoice } = last;
      const before = ofPayment.find((each) => each.invoice === invoice);
      if (before) {
        before.units += left;
        before.tipUnits = left;
      } else
        ofPayment.push({
          paymentId,
          invoice,
          paidUnits: last.paidUnits,
          units: left,
          tipUnits: left,
          completes: false,
          revives: false,
        });
      last.paidUnits += left;
    }
    allocations.push(...ofPayment);
  }
  return allocations;
}
