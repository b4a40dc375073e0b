import { EXCHANGES } from '@copydesk/domain/catalogue';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { activeFilters, labelOf } from '../../lib/url/active-filters.ts';
import { FilterChips } from '../../ui/form/filters/filter-chips.tsx';
import type { FilterOption } from '../../ui/form/filters/filter-option.ts';
import { FilterSelect } from '../../ui/form/filters/filter-select.tsx';
import { BELOW_MINIMUM } from './below-minimum.tsx';
import {
  NO_NARROWING,
  type TraderListFilters,
  type TraderNarrowing,
  type TradersSearch,
} from './traders-search.ts';

interface FilterOptions {
  communities: readonly FilterOption[];
  providers: readonly FilterOption[];
}

interface FilterBarProps {
  filters: TraderListFilters;
  options: FilterOptions;
  onChange(change: TradersSearch): void;
}

const exchangeOptions = EXCHANGES.map((value) => ({ value, label: exchangeName(value) }));
const BALANCES = [{ value: 'true', label: BELOW_MINIMUM }];

export function FilterSelects({ filters, options, onChange }: FilterBarProps) {
  return (
    <>
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
        onChange={(exchange) => onChange({ exchange: EXCHANGES.find((known) => known === exchange) })}
      />
      <FilterSelect
        label="Balance"
        options={BALANCES}
        value={filters.below}
        onChange={(below) => onChange({ below: below ? 'true' : undefined })}
      />
    </>
  );
}

/** The active filters, removable one by one or all at once. The search is shown in its own box. */
export function TraderFilterChips({ filters, options, onChange }: FilterBarProps) {
  const active = activeFilters<TraderNarrowing>(filters, {
    community: (id) => ({ label: 'Community', value: labelOf(options.communities, id) }),
    provider: (id) => ({ label: 'Provider', value: labelOf(options.providers, id) }),
    exchange: (exchange) => ({ label: 'Exchange', value: exchangeName(exchange) }),
    below: () => ({ label: 'Balance', value: BELOW_MINIMUM }),
    search: null,
    in: null,
  });
  return <FilterChips active={active} none={NO_NARROWING} onChange={onChange} />;
}
