import type { LedgerInvoice } from '../ledger/ledger-invoice.ts';

/** Money that came in and was not put to an invoice yet. */
export interface OpenPayment {
  paymentId: string;
  openUnits: bigint;
}

export interface PayableInvoice extends LedgerInvoice {
  /** What was paid on it before, in base units. */
  paidUnits: bigint;
}

/** What of one payment goes to one invoice. */
export interface Allocation {
  paymentId: string;
  invoice: PayableInvoice;
  /** What was paid on the invoice before this. */
  paidUnits: bigint;
  units: bigint;
  /** What of the units is above the invoice. */
  tipUnits: bigint;
  /** Whether the invoice is paid with it. */
  completes: boolean;
}

/**
 * Puts payments to invoices, both in the order given: the oldest first. What is left of a payment when every invoice
 * is paid is a tip on the invoice that was paid last. Without any, it stays open until there is one.
 * @param open unpaid invoices
 * @param lastPaid the invoice that was paid on chain last, for a payment that finds none open
 */
export function allocatePayments(
  payments: readonly OpenPayment[],
  open: readonly PayableInvoice[],
  lastPaid: PayableInvoice | null,
): Allocation[] {
  const allocations: Allocation[] = [];
  const waiting = open.map((invoice) => ({ invoice, paidUnits: invoice.paidUnits }));
  let last = lastPaid && { invoice: lastPaid, paidUnits: lastPaid.paidUnits };
  for (const { paymentId, openUnits } of payments) {
    let left = openUnits;
    const ofPayment: Allocation[] = [];
    while (left > 0n && waiting[0]) {
      const { invoice, paidUnits } = waiting[0];
      const outstanding = invoice.amountUnits - paidUnits;
      const completes = left >= outstanding;
      const units = completes ? outstanding : left;
      ofPayment.push({ paymentId, invoice, paidUnits, units, tipUnits: 0n, completes });
      left -= units;
      waiting[0].paidUnits += units;
      if (completes) last = waiting.shift() ?? null;
    }
    if (left > 0n && last) {
      const before = ofPayment.find(({ invoice }) => invoice === last?.invoice);
      if (before) {
        before.units += left;
        before.tipUnits = left;
      } else
        ofPayment.push({
          paymentId,
          invoice: last.invoice,
          paidUnits: last.paidUnits,
          units: left,
          tipUnits: left,
          completes: false,
        });
      last.paidUnits += left;
    }
    allocations.push(...ofPayment);
  }
  return allocations;
}
