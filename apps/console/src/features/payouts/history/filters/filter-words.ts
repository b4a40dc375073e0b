import { formatDate, PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain';
import { capitalised, typeWords } from '../../../../lib/payout-words.ts';
import type { FilterOption } from '../../../../ui/filters/filter-option.ts';
import type { PayoutNarrowing } from '../history-search.ts';

export const TYPE_OPTIONS = RECIPIENT_TYPES.map((value) => ({ value, label: capitalised(typeWords(value)) }));
export const STATUS_OPTIONS = PAYOUT_STATUSES.map((value) => ({ value, label: capitalised(value) }));

const labelOf = (options: readonly FilterOption[], value: string) =>
  options.find((option) => option.value === value)?.label ?? 'Unknown';

export function dateRange({ from, to }: PayoutNarrowing): string | undefined {
  if (from && to) return `${formatDate(from)} – ${formatDate(to)}`;
  if (from) return `from ${formatDate(from)}`;
  return to ? `up to ${formatDate(to)}` : undefined;
}

/** Why two days are not a valid range; null when they are. */
export function dateRangeError({ from, to }: Pick<PayoutNarrowing, 'from' | 'to'>): string | null {
  return from && to && from > to ? 'The start date is after the end date' : null;
}

interface ActiveFilter {
  label: string;
  value: string;
  /** The filters without this one. */
  without: PayoutNarrowing;
}

/** The active filters in words. */
export function activeFilters(
  filters: PayoutNarrowing,
  communities: readonly FilterOption[],
): ActiveFilter[] {
  const { community, type, status, distribution, search } = filters;
  const dates = dateRange(filters);
  const found: (ActiveFilter | false | undefined)[] = [
    community !== undefined && {
      label: 'Community',
      value: labelOf(communities, community),
      without: { community: undefined },
    },
    type && { label: 'Recipient Type', value: labelOf(TYPE_OPTIONS, type), without: { type: undefined } },
    status && { label: 'Status', value: labelOf(STATUS_OPTIONS, status), without: { status: undefined } },
    distribution !== undefined && {
      label: 'Distribution',
      value: distribution.slice(0, 8),
      without: { distribution: undefined },
    },
    dates !== undefined && { label: 'Date', value: dates, without: { from: undefined, to: undefined } },
    search !== undefined && { label: 'Address or hash', value: search, without: { search: undefined } },
  ];
  return found.filter((one): one is ActiveFilter => Boolean(one));
}
