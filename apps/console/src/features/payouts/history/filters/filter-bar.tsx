import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain';
import { dateRange, dateRangeError } from '../../../../lib/active-filters.ts';
import { oneOf } from '../../../../lib/search-params.ts';
import type { FilterOption } from '../../../../ui/filters/filter-option.ts';
import { FilterPopover } from '../../../../ui/filters/filter-popover.tsx';
import { FilterSelect } from '../../../../ui/filters/filter-select.tsx';
import { RangeForm } from '../../../../ui/filters/range-form.tsx';
import type { PayoutNarrowing } from '../history-search.ts';
import { STATUS_OPTIONS, TYPE_OPTIONS } from './filter-words.ts';

interface FilterBarProps {
  filters: PayoutNarrowing;
  communities: readonly FilterOption[];
  onChange(change: PayoutNarrowing): void;
}

/** Filters over all payouts. */
export function FilterBar({ filters, communities, onChange }: FilterBarProps) {
  return (
    <>
      <FilterPopover label="Date" value={dateRange(filters)}>
        {(close) => (
          <RangeForm
            from={filters.from}
            to={filters.to}
            labels={{ from: 'First day', to: 'Last day' }}
            input={{ type: 'date', min: '2009-01-03' }}
            findError={dateRangeError}
            onApply={({ from, to }) => {
              onChange({ from, to });
              close();
            }}
          />
        )}
      </FilterPopover>
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
