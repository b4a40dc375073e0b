import { EXCHANGES } from '@copydesk/domain/catalogue';
import { clsx } from 'clsx';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { amount } from '../../../lib/url/list-search.ts';
import { oneOf } from '../../../lib/url/search-params.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateFilter } from '../../../ui/form/filters/date-filter.tsx';
import { FilterPopover } from '../../../ui/form/filters/filter-popover.tsx';
import { FilterSelect } from '../../../ui/form/filters/filter-select.tsx';
import { RangeForm } from '../../../ui/form/filters/range-form.tsx';
import type { InvoiceNarrowing } from '../invoices-search.ts';
import { amountRange, type FilterOptions, STATUS_OPTIONS, TYPE_OPTIONS } from './filter-texts.ts';

interface FilterBarProps {
  filters: InvoiceNarrowing;
  options: FilterOptions;
  onChange(change: InvoiceNarrowing): void;
}

const exchangeOptions = EXCHANGES.map((value) => ({ value, label: exchangeName(value) }));

export function FilterBar({ filters, options, onChange }: FilterBarProps) {
  const { overdue } = filters;
  return (
    <>
      <FilterSelect
        label="Status"
        options={STATUS_OPTIONS}
        value={filters.status}
        onChange={(status) => onChange({ status: oneOf(['pending', 'paid', 'cancelled'], status) })}
      />
      <Button
        aria-pressed={overdue === 'true'}
        className={clsx('max-sm:px-2.5', overdue === 'true' && 'border-accent! text-accent!')}
        onClick={() => onChange({ overdue: overdue === 'true' ? undefined : 'true' })}
      >
        Overdue
      </Button>
      <FilterSelect
        label="Community"
        options={options.communities}
        value={filters.community}
        onChange={(community) => onChange({ community })}
      />
      <FilterSelect
        label="Provider"
        options={options.providers}
        value={filters.provider}
        onChange={(provider) => onChange({ provider })}
      />
      <FilterSelect
        label="Exchange"
        options={exchangeOptions}
        value={filters.exchange}
        onChange={(exchange) => onChange({ exchange: oneOf(EXCHANGES, exchange) })}
      />
      <FilterPopover label="Amount" value={amountRange(filters)}>
        {(close) => (
          <RangeForm
            from={filters.min}
            to={filters.max}
            labels={{ from: 'At least', to: 'At most' }}
            input={{ inputMode: 'decimal', placeholder: 'USDT', maxLength: 39 }}
            findError={amountRangeError}
            onApply={({ from, to }) => {
              onChange({ min: from, max: to });
              close();
            }}
          />
        )}
      </FilterPopover>
      <DateFilter label="Created" days={filters} onChange={onChange} />
      <FilterSelect
        label="Type"
        options={TYPE_OPTIONS}
        value={filters.type}
        onChange={(type) => onChange({ type: oneOf(['regular', 'exchange_bot'], type) })}
      />
    </>
  );
}

interface Ends {
  from: string | undefined;
  to: string | undefined;
}

/** Why two amounts are not a valid range; null when they are. */
export function amountRangeError({ from, to }: Ends): string | null {
  if ([from, to].some((end) => end !== undefined && amount(end) === undefined)) {
    return 'Enter digits, with a point for cents';
  }
  return from && to && Number(from) > Number(to) ? 'The minimum is above the maximum' : null;
}
