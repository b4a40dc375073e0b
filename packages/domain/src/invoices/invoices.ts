import { ExactDecimal } from '../money/exact-decimal.ts';
import { BUSINESS_DEFAULTS } from '../settings/business-defaults.ts';

export const INVOICE_STATUSES = ['pending', 'paid', 'cancelled'] as const;
export const INVOICE_TYPES = ['regular', 'exchange_bot'] as const;
/**
 * Why a part of an invoice was settled off-platform. `not_on_chain`: it was imported as paid, and its tokens were not
 * found. `settled_before_check`: it was imported as paid in part, and changed by a person or a payment before it was
 * compared with the chain. `marked_paid`: a person marked the invoice as paid.
 */
export const OFF_PLATFORM_REASONS = ['not_on_chain', 'settled_before_check', 'marked_paid'] as const;
/** Replaces the reference number of traders without one. */
export const UNKNOWN_REFERENCE = 'unknown';
/** Values of the status filter (console spec, section 5). */
export const INVOICE_FILTER_STATUSES = [...INVOICE_STATUSES, 'all'] as const;
export const INVOICE_FILTER_TYPES = [...INVOICE_TYPES, 'all'] as const;

/**
 * Tabs of the grouped view. `archived` has the groups of archived invoices, the others have the rest: `paid` the groups
 * whose invoices are all paid, `unpaid` those with a pending one, `all` every group.
 */
export const INVOICE_TABS = ['all', 'unpaid', 'paid', 'archived'] as const;
export type InvoiceTab = (typeof INVOICE_TABS)[number];

/**
 * The provider's part of an invoice, exactly.
 * @param amount decimal string, in any unit
 * @param paymentSplit the provider's payment_split_percentage as a fraction, 0 to 1; null when no provider is known
 * @returns decimal string in the unit of the amount
 */
export function providerShareOf(amount: string, paymentSplit: string | null): string {
  return new ExactDecimal(amount).times(paymentSplit ?? BUSINESS_DEFAULTS.unknownProviderShare).toFixed();
}

/** The facts that decide whether an invoice can be marked. */
export interface MarkableInvoice {
  status: (typeof INVOICE_STATUSES)[number];
  /** Whether a pool pays it out of its member's virtual balance. */
  isOfPool: boolean;
  /** Whether it has a payment on chain. */
  wasPaidOnChain: boolean;
  /** Whether a share of it was paid out, or is on its way. */
  hasPayout: boolean;
  /**
   * It is an order with a bot, and its buyer has another open one: a payment to their one address could pay
   * either.
   */
  hasOtherOpenOrder: boolean;
}
export const UNPAID_REFUSALS = ['invoice_paid_on_chain', 'payout_made', 'other_order_open'] as const;
export type UnpaidRefusal = (typeof UNPAID_REFUSALS)[number];
export type MarkingRefusal = UnpaidRefusal | 'invoice_cancelled' | 'invoice_of_pool';

/** Why a paid invoice cannot be marked as unpaid; null when it can. */
export function refuseUnpaid(invoice: MarkableInvoice): UnpaidRefusal | null {
  if (invoice.hasPayout) return 'payout_made';
  if (invoice.wasPaidOnChain) return 'invoice_paid_on_chain';
  return invoice.hasOtherOpenOrder ? 'other_order_open' : null;
}

/**
 * Why an invoice is not recalled (`app.recall_refusal` decides). `other_kind`: an order with a bot, or a fee that a pool
 * pays. `imported`: no positions of it are known that could come with a later invoice. `corrected`: an exchange corrected
 * one of its positions, which is settled by this invoice.
 */
export const RECALL_REFUSALS = [
  'other_kind',
  'cancelled',
  'paid',
  'archived',
  'imported',
  'corrected',
  'payment_on_its_way',
] as const;
export type RecallRefusal = (typeof RECALL_REFUSALS)[number];

/** The result of marking an invoice by hand: a change, no change, or a refusal. */
export function decideMarking(
  invoice: MarkableInvoice,
  isPaid: boolean,
): 'change' | 'unchanged' | MarkingRefusal {
  if (invoice.status === 'cancelled') return 'invoice_cancelled';
  if (invoice.isOfPool) return 'invoice_of_pool';
  if ((invoice.status === 'paid') === isPaid) return 'unchanged';
  return isPaid ? 'change' : (refuseUnpaid(invoice) ?? 'change');
}
