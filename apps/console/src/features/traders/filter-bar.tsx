import { EXCHANGES } from '@copydesk/domain';
import { exchangeName } from '../../lib/exchange-name.ts';
import { Chip } from '../../ui/filters/chip.tsx';
import type { FilterOption } from '../../ui/filters/filter-option.ts';
import { FilterSelect } from '../../ui/filters/filter-select.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { BELOW_MINIMUM } from './below-minimum.tsx';
import type { TraderListFilters, TradersSearch } from './traders-search.ts';

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
const labelOf = (options: readonly FilterOption[], value: string) =>
  options.find((option) => option.value === value)?.label ?? 'Unknown';

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
export function FilterChips({ filters, options, onChange }: FilterBarProps) {
  const { community, provider, exchange, below } = filters;
  if (!community && !provider && !exchange && !below) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {community && (
        <Chip
          label="Community"
          value={labelOf(options.communities, community)}
          onRemove={() => onChange({ community: undefined })}
        />
      )}
      {provider && (
        <Chip
          label="Provider"
          value={labelOf(options.providers, provider)}
          onRemove={() => onChange({ provider: undefined })}
        />
      )}
      {exchange && (
        <Chip
          label="Exchange"
          value={exchangeName(exchange)}
          onRemove={() => onChange({ exchange: undefined })}
        />
      )}
      {below && (
        <Chip label="Balance" value={BELOW_MINIMUM} onRemove={() => onChange({ below: undefined })} />
      )}
      <Button
        look="quiet"
        className="h-6! px-2! text-xs!"
        onClick={() =>
          onChange({
            search: undefined,
            community: undefined,
            provider: undefined,
            exchange: undefined,
            below: undefined,
          })
        }
      >
        Clear all
      </Button>
    </div>
  );
}
