import { clsx } from 'clsx';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import TextCursorInput from 'lucide-react/icons/text-cursor-input';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Filters, ValuesOf } from '../../lib/list/filters.ts';
import { Button } from '../form/button.tsx';
import { DebouncedSearchBox } from '../form/filters/debounced-search-box.tsx';
import { FilterControls, type FilterControlsProps } from './filter-controls.tsx';
import type { HiddenNewsProps } from './hidden-news.tsx';

const FilterChips = lazy(
  () => import('../form/filters/filter-chips.tsx'),
) as unknown as typeof import('../form/filters/filter-chips.tsx').default;
const HiddenNews = lazy(() => import('./hidden-news.tsx'));
const loadLine = () => import('./filter-line.tsx');
const FilterLine = lazy(loadLine) as unknown as typeof import('./filter-line.tsx').default;

interface ListToolbarProps<F extends Filters> extends Omit<FilterControlsProps<F>, 'filters'> {
  list: { filters: F; noFilters: ValuesOf<F> };
  search: {
    label: string;
    placeholder: string;
    value: string | undefined;
    isFixed?: boolean;
    onChange(text: string | undefined): void;
    onEnter?(text: string): boolean;
  };
  /** The order at phone width. */
  sort?: ReactNode;
  /** How many were found, in words; empty while the screen says more. */
  found: string;
  /** Of a list that changes while it is open. */
  news?: Omit<HiddenNewsProps, 'onShow'> & { onShow(none: ValuesOf<F>): void };
  /** Beside the count. */
  children?: ReactNode;
}

/** Above every list: search, filters, how many were found, and the filters in force. */
export function ListToolbar<F extends Filters>({
  list: { filters, noFilters },
  values,
  sources,
  onChange,
  search,
  sort,
  found,
  news,
  children,
}: ListToolbarProps<F>) {
  const [areShown, setShown] = useState(false);
  const [isText, setText] = useState(false);
  const all: Record<string, string | undefined> = values;
  // Both ends of a range have one label, and one chip.
  const active = new Set(
    Object.entries(filters).flatMap(([name, { face }]) => (face && all[name] ? face.label : [])),
  );
  const narrowing = Object.keys(filters).flatMap((name) => all[name] ?? []);
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 py-3">
      <DebouncedSearchBox {...search} value={search.value ?? ''} />
      <Button className="md:hidden" aria-expanded={areShown} onClick={() => setShown(!areShown)}>
        <SlidersHorizontal className="size-4" aria-hidden="true" />
        Filters{active.size > 0 && ` (${active.size})`}
      </Button>
      {sort}
      <div
        className={clsx(
          'flex flex-wrap gap-1.5 max-md:order-last max-md:w-full md:contents',
          !areShown && 'max-md:hidden',
        )}
      >
        <FilterControls {...{ filters, values, sources, onChange }} />
      </div>
      <Button
        square
        look="quiet"
        className="max-md:hidden"
        aria-label="Filters as text"
        title="Filters as text"
        aria-expanded={isText}
        onPointerEnter={() => void loadLine()}
        onClick={() => setText(!isText)}
      >
        <TextCursorInput className="size-4" aria-hidden="true" />
      </Button>
      <span data-acts className="ms-auto flex min-w-0 items-center gap-3">
        {news && narrowing.length > 0 && (
          <Suspense fallback={null}>
            <HiddenNews key={narrowing.join()} {...news} onShow={() => news.onShow(noFilters)} />
          </Suspense>
        )}
        <span role="status" className="truncate text-muted tabular-nums">
          {found}
        </span>
        {children}
      </span>
      {isText && (
        <Suspense>
          <FilterLine
            {...{ filters, values, sources, onChange }}
            search={'search' in filters && !filters.search?.face ? 'search' : undefined}
            onClose={() => setText(false)}
          />
        </Suspense>
      )}
      {active.size > 0 && (
        <div className="min-h-6 w-full max-md:order-last">
          <Suspense>
            <FilterChips {...{ filters, values, sources, onChange }} none={noFilters} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
