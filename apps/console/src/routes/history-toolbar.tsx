import { clsx } from 'clsx';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useCallback, useState } from 'react';
import { FilterBar } from '../features/payouts/history/filters/filter-bar.tsx';
import { activeFilters } from '../features/payouts/history/filters/filter-texts.ts';
import type {
  PayoutFilters,
  PayoutNarrowing,
  PayoutsSearch,
} from '../features/payouts/history/history-search.ts';
import { NO_NARROWING, sortParams } from '../features/payouts/history/history-search.ts';
import type { usePayouts } from '../features/payouts/history/list/use-payouts.ts';
import { narrowingOf } from '../features/payouts/history/match-on-page.ts';
import { formatCount } from '../lib/format/numbers.ts';
import { Button } from '../ui/form/button.tsx';
import { DebouncedSearchBox } from '../ui/form/filters/debounced-search-box.tsx';
import { FilterChips } from '../ui/form/filters/filter-chips.tsx';
import type { FilterOption } from '../ui/form/filters/filter-option.ts';
import { SortSelect } from '../ui/table/sort-select.tsx';

interface HistoryToolbarProps {
  filters: PayoutFilters;
  /** Search within the rows of the page. */
  find: string | undefined;
  communities: readonly FilterOption[];
  list: ReturnType<typeof usePayouts>;
  onChange(change: PayoutsSearch, how?: { replace: boolean }): void;
}

const SORT_CHOICES = [
  { id: 'created_at', label: 'Date' },
  { id: 'amount', label: 'Amount' },
  { id: 'status', label: 'Status' },
] as const;

/** The filters of the history, and the number of matches. */
export function HistoryToolbar({ filters, find, communities, list, onChange }: HistoryToolbarProps) {
  const [areShown, setShown] = useState(false);
  const changeText = useCallback(
    (text: string | undefined) => onChange({ find: text }, { replace: true }),
    [onChange],
  );
  /** Applies a search of this page to the whole history, for list and sums alike. */
  const searchAll = (text: string) => {
    const narrowing = narrowingOf(text);
    if (narrowing) onChange({ ...narrowing, find: undefined, page: undefined });
    return narrowing !== null;
  };
  /** New filters start on the first page. */
  const narrow = (changed: PayoutNarrowing) => onChange({ ...changed, page: undefined });
  const active = activeFilters(filters, communities).length;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 py-3">
      <DebouncedSearchBox
        label="Search this page"
        placeholder="Address, hash, id or community"
        value={find ?? ''}
        isFixed
        onChange={changeText}
        onEnter={searchAll}
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
        <FilterBar filters={filters} communities={communities} onChange={narrow} />
      </div>
      <span role="status" className="ms-auto truncate text-muted tabular-nums">
        {wordsFor(list, find)}
      </span>
      <div className="w-full empty:hidden max-md:order-last">
        <FilterChips active={activeFilters(filters, communities)} none={NO_NARROWING} onChange={narrow} />
      </div>
    </div>
  );
}

function wordsFor({ total, rows, isStale, problem }: HistoryToolbarProps['list'], find: string | undefined) {
  if (problem) return '';
  if (total === null || isStale) return 'Loading payouts...';
  if (find) return `${formatCount(rows.length)} on this page`;
  return `${formatCount(total)} ${total === 1 ? 'payout' : 'payouts'}`;
}
