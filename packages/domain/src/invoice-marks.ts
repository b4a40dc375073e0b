import { ExactDecimal } from './exact-decimal.ts';
import type { INVOICE_STATUSES } from './invoices.ts';

interface MarkedInvoice {
  status: (typeof INVOICE_STATUSES)[number];
  is_overdue: boolean;
  is_archived: boolean;
  /** Decimal strings in one unit. */
  amount: string;
  paid_amount: string;
}

/** What there is to say of an invoice at a glance. `off_platform`: paid, though not all of it was paid in here. */
export type InvoiceMark =
  | 'paid'
  | 'off_platform'
  | 'overpaid'
  | 'cancelled'
  | 'overdue'
  | 'due'
  | 'unpaid'
  | 'part_paid'
  | 'archived';

/** The marks of an invoice, the most telling first. What is archived is not waited for: it is neither due nor overdue. */
export function invoiceMarks(invoice: MarkedInvoice): InvoiceMark[] {
  return [...stateMarks(invoice), ...(invoice.is_archived ? (['archived'] as const) : [])];
}

function stateMarks({ status, is_overdue, is_archived, amount, paid_amount }: MarkedInvoice): InvoiceMark[] {
  if (status === 'cancelled') return ['cancelled'];
  const order = new ExactDecimal(paid_amount).cmp(amount);
  if (status === 'paid') {
    if (order === 0) return ['paid'];
    return ['paid', order > 0 ? 'overpaid' : 'off_platform'];
  }
  const state = is_overdue ? 'overdue' : is_archived ? 'unpaid' : 'due';
  return new ExactDecimal(paid_amount).gt(0) ? [state, 'part_paid'] : [state];
}

/**
 * What is still to be paid on an invoice: nothing unless it is pending.
 * @returns decimal string in the unit of the amounts
 */
export function outstandingOf({ status, amount, paid_amount }: MarkedInvoice): string {
  if (status !== 'pending') return '0';
  const open = new ExactDecimal(amount).minus(paid_amount);
  return open.gt(0) ? open.toFixed() : '0';
}
