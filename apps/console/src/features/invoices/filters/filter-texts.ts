import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { formatUsd } from '../../../lib/format/numbers.ts';
import { dateRange, labelOf, rangeWords, activeFilters as wordsOf } from '../../../lib/url/active-filters.ts';
import type { FilterOption } from '../../../ui/form/filters/filter-option.ts';
import type { InvoiceNarrowing } from '../invoices-search.ts';

export const STATUS_OPTIONS = [
  { value: 'pending', label: 'Pending' },
  { value: 'paid', label: 'Paid' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;
export const TYPE_OPTIONS = [
  { value: 'regular', label: 'Regular' },
  { value: 'exchange_bot', label: 'Exchange bot' },
] as const;

export interface FilterOptions {
  communities: readonly FilterOption[];
  providers: readonly FilterOption[];
}

export const amountRange = ({ min, max }: InvoiceNarrowing) => rangeWords(min, max, formatUsd);

/** The filters in force in words. The search shows in its own box. */
export const activeFilters = (filters: InvoiceNarrowing, options: FilterOptions) =>
  wordsOf(filters, {
    community: (id) => ({ label: 'Community', value: labelOf(options.communities, id) }),
    provider: (id) => ({ label: 'Provider', value: labelOf(options.providers, id) }),
    exchange: (exchange) => ({ label: 'Exchange', value: exchangeName(exchange) }),
    status: (status) => ({ label: 'Status', value: labelOf(STATUS_OPTIONS, status) }),
    type: (type) => ({ label: 'Type', value: labelOf(TYPE_OPTIONS, type) }),
    min: (_, ends) => ({ label: 'Amount', value: amountRange(ends) ?? '', together: ['max'] }),
    max: (_, ends) => (ends.min ? null : { label: 'Amount', value: amountRange(ends) ?? '' }),
    from: (_, ends) => ({ label: 'Created', value: dateRange(ends) ?? '', together: ['to'] }),
    to: (_, ends) => (ends.from ? null : { label: 'Created', value: dateRange(ends) ?? '' }),
    overdue: (asked) => ({ label: 'Overdue', value: asked === 'true' ? 'Yes' : 'No' }),
    search: null,
    in: null,
  });
