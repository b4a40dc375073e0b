import { BUSINESS_DEFAULTS } from './business-defaults.ts';
import { ExactDecimal } from './exact-decimal.ts';

export const INVOICE_STATUSES = ['pending', 'paid', 'cancelled'] as const;
export const INVOICE_TYPES = ['regular', 'exchange_bot'] as const;
/** What a filter may say (console spec, section 5). */
export const INVOICE_FILTER_STATUSES = [...INVOICE_STATUSES, 'all'] as const;
export const INVOICE_FILTER_TYPES = [...INVOICE_TYPES, 'all'] as const;

/**
 * Tabs of the grouped view. `archived` holds the groups of archived invoices, the others those of the rest: `paid`
 * the groups whose invoices are all paid, `unpaid` the others, `all` both.
 */
export const INVOICE_TABS = ['all', 'unpaid', 'paid', 'archived'] as const;
export type InvoiceTab = (typeof INVOICE_TABS)[number];

/**
 * What a provider gets of an invoice, exactly.
 * @param amount decimal string, in any unit
 * @param paymentSplit the provider's payment_split_percentage as a fraction, 0 to 1; null when no provider is known
 * @returns decimal string in the unit of the amount
 */
export function providerShareOf(amount: string, paymentSplit: string | null): string {
  return new ExactDecimal(amount).times(paymentSplit ?? BUSINESS_DEFAULTS.unknownProviderShare).toFixed();
}
