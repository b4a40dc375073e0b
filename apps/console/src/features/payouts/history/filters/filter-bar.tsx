import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { oneOf } from '../../../../lib/url/search-params.ts';
import { DateFilter } from '../../../../ui/form/filters/date-filter.tsx';
import type { FilterOption } from '../../../../ui/form/filters/filter-option.ts';
import { FilterSelect } from '../../../../ui/form/filters/filter-select.tsx';
import type { PayoutNarrowing } from '../history-search.ts';
import { STATUS_OPTIONS, TYPE_OPTIONS } from './filter-texts.ts';

interface FilterBarProps {
  filters: PayoutNarrowing;
  communities: readonly FilterOption[];
  onChange(change: PayoutNarrowing): void;
}

/** Filters over all payouts. */
export function FilterBar({ filters, communities, onChange }: FilterBarProps) {
  return (
    <>
      <DateFilter label="Date" days={filters} onChange={onChange} />
      <FilterSelect
        label="Status"
        options={STATUS_OPTIONS}
        value={filters.status}
        onChange={(status) => onChange({ status: oneOf(PAYOUT_STATUSES, status) })}
      />
      <FilterSelect
        label="Recipient Type"
        options={TYPE_OPTIONS}
        value={filters.type}
        onChange={(type) => onChange({ type: oneOf(RECIPIENT_TYPES, type) })}
      />
      <FilterSelect
        label="Community"
        options={communities}
        value={filters.community}
        onChange={(community) => onChange({ community })}
      />
    </>
  );
}
