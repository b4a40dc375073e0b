import { formatCount } from '@copydesk/domain';
import { clsx } from 'clsx';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useCallback, useState } from 'react';
import { FilterBar } from '../features/invoices/filters/filter-bar.tsx';
import { FilterChips } from '../features/invoices/filters/filter-chips.tsx';
import { activeFilters, type FilterOptions } from '../features/invoices/filters/filter-words.ts';
import { exportInvoices } from '../features/invoices/invoices-queries.ts';
import {
  type InvoiceFilters,
  type InvoicesSearch,
  NO_NARROWING,
  sortParams,
} from '../features/invoices/invoices-search.ts';
import type { useInvoiceList } from '../features/invoices/list/use-invoice-list.ts';
import { SavedViewsButton } from '../features/invoices/views/saved-views-button.tsx';
import { Button } from '../ui/button.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { SettledSearchBox } from '../ui/settled-search-box.tsx';
import { SortSelect } from '../ui/sort-select.tsx';

interface InvoicesToolbarProps {
  search: InvoicesSearch;
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

/** A view stands for all of its address: what it does not name goes back to its default. */
const BLANK: InvoicesSearch = {
  ...NO_NARROWING,
  tab: undefined,
  sort: undefined,
  dir: undefined,
  rows: undefined,
};

/** What narrows the list, what is found, and what can be done with all of it. */
export function InvoicesToolbar({ search, filters, options, list, onChange }: InvoicesToolbarProps) {
  const [areShown, setShown] = useState(false);
  const changeText = useCallback(
    (text: string | undefined) => onChange({ search: text }, { replace: true }),
    [onChange],
  );
  const active = activeFilters(filters, options).length;
  const { page, isStale, error } = list;
  const total = page?.meta.total ?? 0;
  const found = page && !isStale ? `${formatCount(total)} ${total === 1 ? 'group' : 'groups'} found` : null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 py-3">
      <SettledSearchBox
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
          'flex flex-wrap gap-1.5 max-md:order-last max-md:w-full',
          !areShown && 'max-md:hidden',
        )}
      >
        <FilterBar filters={filters} options={options} onChange={onChange} />
      </div>
      <span className="ml-auto flex min-w-0 items-center gap-1.5">
        {list.isOutdated && (
          <Button look="quiet" className="text-accent! px-2!" onClick={list.showNewest}>
            The list has changed: show
          </Button>
        )}
        <span role="status" className="mr-1 truncate text-muted tabular-nums max-sm:sr-only">
          {found ?? (error ? '' : 'Loading invoices...')}
        </span>
        <SavedViewsButton search={search} onApply={(view) => onChange({ ...BLANK, ...view })} />
        <ExportButton onExport={() => exportInvoices(filters)} />
      </span>
      <div className="w-full empty:hidden max-md:order-last">
        <FilterChips filters={filters} options={options} onChange={onChange} />
      </div>
    </div>
  );
}
