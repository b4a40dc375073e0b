import { dateRange, dateRangeError } from '../../../lib/url/active-filters.ts';
import { FilterPopover } from './filter-popover.tsx';
import { RangeForm } from './range-form.tsx';

interface Days {
  /** The first day, UTC. */
  from?: string;
  /** The last day, UTC. */
  to?: string;
}

interface DateFilterProps {
  label: string;
  days: Days;
  onChange(days: { from: string | undefined; to: string | undefined }): void;
}

/** A filter by days, either end of which may be open. */
export function DateFilter({ label, days, onChange }: DateFilterProps) {
  return (
    <FilterPopover label={label} value={dateRange(days)}>
      {(close) => (
        <RangeForm
          from={days.from}
          to={days.to}
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
  );
}
