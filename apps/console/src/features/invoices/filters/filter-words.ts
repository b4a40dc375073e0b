import { formatDate, formatUsd } from '@copydesk/domain';
import { exchangeName } from '../../../lib/exchange-name.ts';
import type { FilterOption } from '../../../ui/filters/filter-option.ts';
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

const labelOf = (options: readonly FilterOption[], value: string) =>
  options.find((option) => option.value === value)?.label ?? 'Unknown';

function range(from: string | undefined, to: string | undefined, write: (end: string) => string) {
  if (from && to) return `${write(from)} – ${write(to)}`;
  if (from) return `from ${write(from)}`;
  return to ? `up to ${write(to)}` : undefined;
}

export const amountRange = ({ min, max }: InvoiceNarrowing) => range(min, max, formatUsd);
export const dateRange = ({ from, to }: InvoiceNarrowing) => range(from, to, formatDate);

interface ActiveFilter {
  label: string;
  value: string;
  /** The filters without this one. */
  without: InvoiceNarrowing;
}

/** The active filters in words. The search is shown in its own box. */
export function activeFilters(filters: InvoiceNarrowing, options: FilterOptions): ActiveFilter[] {
  const { exchange, community, provider, status, type, overdue } = filters;
  const found: (ActiveFilter | false | undefined)[] = [
    community !== undefined && {
      label: 'Community',
      value: labelOf(options.communities, community),
      without: { community: undefined },
    },
    provider !== undefined && {
      label: 'Provider',
      value: labelOf(options.providers, provider),
      without: { provider: undefined },
    },
    exchange && { label: 'Exchange', value: exchangeName(exchange), without: { exchange: undefined } },
    status && { label: 'Status', value: labelOf(STATUS_OPTIONS, status), without: { status: undefined } },
    type && { label: 'Type', value: labelOf(TYPE_OPTIONS, type), without: { type: undefined } },
    written('Amount', amountRange(filters), { min: undefined, max: undefined }),
    written('Created', dateRange(filters), { from: undefined, to: undefined }),
    overdue && {
      label: 'Overdue',
      value: overdue === 'true' ? 'Yes' : 'No',
      without: { overdue: undefined },
    },
  ];
  return found.filter((one) => one !== false && one !== undefined);
}

const written = (label: string, value: string | undefined, without: InvoiceNarrowing) =>
  value === undefined ? undefined : { label, value, without };
