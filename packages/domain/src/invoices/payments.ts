import type { LedgerInvoice } from '../ledger/ledger-invoice.ts';

/** A received amount that is not applied to an invoice yet. */
export interface OpenPayment {
  paymentId: string;
  openUnits: bigint;
}

export interface PayableInvoice extends LedgerInvoice {
  /** Paid on it before, in base units. */
  paidUnits: bigint;
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
}

/**
 * Applies payments to invoices, both in the given order: oldest first. The rest of a payment after all invoices are
 * paid is a tip on the invoice paid last. Without such an invoice, it stays open until there is one.
 * @param open unpaid invoices
 * @param lastPaid the invoice that was paid on chain last, for a payment without an open invoice
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
