import { clsx } from 'clsx';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useCallback, useState } from 'react';
import { FilterBar } from '../features/invoices/filters/filter-bar.tsx';
import { activeFilters, type FilterOptions } from '../features/invoices/filters/filter-texts.ts';
import {
  type InvoiceFilters,
  type InvoicesSearch,
  NO_NARROWING,
  sortParams,
} from '../features/invoices/invoices-search.ts';
import type { useInvoiceList } from '../features/invoices/list/use-invoice-list.ts';
import { formatCount } from '../lib/format/numbers.ts';
import { Button } from '../ui/form/button.tsx';
import { DebouncedSearchBox } from '../ui/form/filters/debounced-search-box.tsx';
import { FilterChips } from '../ui/form/filters/filter-chips.tsx';
import { SortSelect } from '../ui/table/sort-select.tsx';

interface InvoicesToolbarProps {
  filters: InvoiceFilters;
  options: FilterOptions;
  list: ReturnType<typeof useInvoiceList>;
  onChange(change: InvoicesSearch, how?: { replace: boolean }): void;
}

const SORT_CHOICES = [
  { id: 'created_at', label: 'Created' },
  { id: 'updated_at', label: 'Updated' },
  { id: 'amount', label: 'Total' },
] as const;

/** The filters of the list, and the number of matches. */
export function InvoicesToolbar({ filters, options, list, onChange }: InvoicesToolbarProps) {
  const [areShown, setShown] = useState(false);
  const changeText = useCallback(
    (text: string | undefined) => onChange({ search: text, in: undefined }, { replace: true }),
    [onChange],
  );
  const active = activeFilters(filters, options).length;
  const { page, isStale, error } = list;
  const total = page?.meta.total ?? 0;
  const found = page && !isStale ? `${formatCount(total)} ${total === 1 ? 'group' : 'groups'} found` : null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 py-3">
      <DebouncedSearchBox
        label="Search by reference number"
        placeholder="Reference number"
        value={filters.search ?? ''}
        onChange={changeText}
      />
      <Button className="md:hidden" aria-expanded={areShown} onClick={() => setShown(!areShown)}>
        <SlidersHorizontal className="size-4" aria-hidden="true" />
        Filters{active > 0 && ` (${active})`}
      </Button>
      <SortSelect
        columns={SORT_CHOICES}
        sort={filters.sort}
        onChange={(sort) => onChange(sortParams(sort))}
      />
      <div
        className={clsx(
          'flex flex-wrap gap-1.5 max-md:order-last max-md:w-full md:contents',
          !areShown && 'max-md:hidden',
        )}
      >
        <FilterBar filters={filters} options={options} onChange={onChange} />
      </div>
      <span role="status" className="ms-auto truncate text-muted tabular-nums">
        {found ?? (error ? '' : 'Loading invoices...')}
      </span>
      <div className="w-full empty:hidden max-md:order-last">
        <FilterChips active={activeFilters(filters, options)} none={NO_NARROWING} onChange={onChange} />
      </div>
    </div>
  );
}
