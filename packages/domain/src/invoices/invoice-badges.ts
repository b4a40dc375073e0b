import { ExactDecimal } from '../money/exact-decimal.ts';
import { UNITS_PER_MILLIONTH, unitsToDecimal } from '../money/token-units.ts';
import type { INVOICE_STATUSES } from './invoices.ts';

interface BadgedInvoice {
  status: (typeof INVOICE_STATUSES)[number];
  is_overdue: boolean;
  is_archived: boolean;
  /** Decimal strings in one unit. */
  amount: string;
  paid_amount: string;
  off_platform_amount: string;
}

/** Less above the amount is due to rounding: traders are asked for whole millionths. In SQL: `app.is_overpaid`. */
const LEAST_OVERPAYMENT = unitsToDecimal(UNITS_PER_MILLIONTH);

/** Badges of an invoice. `off_platform`: all or part of it was settled elsewhere. */
export type InvoiceBadge =
  | 'paid'
  | 'off_platform'
  | 'overpaid'
  | 'cancelled'
  | 'overdue'
  | 'due'
  | 'unpaid'
  | 'part_paid'
  | 'archived';

/**
 * The badges of an invoice, most important first. An archived invoice is no longer outstanding: neither due nor
 * overdue.
 */
export function invoiceBadges(invoice: BadgedInvoice): InvoiceBadge[] {
  return [...stateBadges(invoice), ...(invoice.is_archived ? (['archived'] as const) : [])];
}

function stateBadges(invoice: BadgedInvoice): InvoiceBadge[] {
  const { status, is_overdue, is_archived, amount, paid_amount, off_platform_amount } = invoice;
  if (status === 'cancelled') return ['cancelled'];
  const paid = new ExactDecimal(paid_amount);
  const marks: InvoiceBadge[] =
    status === 'paid' ? ['paid'] : [is_overdue ? 'overdue' : is_archived ? 'unpaid' : 'due'];
  if (status === 'paid' && paid.minus(amount).gte(LEAST_OVERPAYMENT)) marks.push('overpaid');
  if (status === 'pending' && paid.gt(0)) marks.push('part_paid');
  if (new ExactDecimal(off_platform_amount).gt(0)) marks.push('off_platform');
  return marks;
}

/**
 * The amount still to be paid on an invoice: zero unless it is pending.
 * @returns decimal string in the unit of the amounts
 */
export function outstandingOf({
  status,
  amount,
  paid_amount,
}: Pick<BadgedInvoice, 'status' | 'amount' | 'paid_amount'>): string {
  if (status !== 'pending') return '0';
  const open = new ExactDecimal(amount).minus(paid_amount);
  return open.gt(0) ? open.toFixed() : '0';
}
