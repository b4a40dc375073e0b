import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { shortId } from '@copydesk/domain/money';
import { capitalised, typeWords } from '../../../../lib/format/payout-texts.ts';
import { dateRange, labelOf, activeFilters as wordsOf } from '../../../../lib/url/active-filters.ts';
import type { FilterOption } from '../../../../ui/form/filters/filter-option.ts';
import type { PayoutNarrowing } from '../history-search.ts';

export const TYPE_OPTIONS = RECIPIENT_TYPES.map((value) => ({ value, label: capitalised(typeWords(value)) }));
export const STATUS_OPTIONS = PAYOUT_STATUSES.map((value) => ({ value, label: capitalised(value) }));

/** The filters in force in words. */
export const activeFilters = (filters: PayoutNarrowing, communities: readonly FilterOption[]) =>
  wordsOf(filters, {
    community: (id) => ({ label: 'Community', value: labelOf(communities, id) }),
    type: (type) => ({ label: 'Recipient Type', value: labelOf(TYPE_OPTIONS, type) }),
    status: (status) => ({ label: 'Status', value: labelOf(STATUS_OPTIONS, status) }),
    distribution: (id) => ({ label: 'Distribution', value: shortId(id) }),
    from: (_, ends) => ({ label: 'Date', value: dateRange(ends) ?? '', together: ['to'] }),
    to: (_, ends) => (ends.from ? null : { label: 'Date', value: dateRange(ends) ?? '' }),
    search: (text) => ({ label: 'Search', value: text }),
  });
