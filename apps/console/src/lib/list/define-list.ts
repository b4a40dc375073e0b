import { oneOf, parseSearch, stringifySearch, uuid } from '../url/search-params.ts';
import type { Direction, Sort } from '../url/sorting.ts';
import { otherEnd } from './filter-faces.ts';
import type { Filters, Reader, ValuesOf } from './filters.ts';
import { daysOf, isPreset } from './relative-days.ts';

export type Readers = Record<string, Reader<string>>;
type Value<R extends Reader<string>> = Exclude<ReturnType<R>, undefined>;
type RestOf<R extends Readers> = { [K in keyof R]?: Value<R[K]> };
/** The values of filters under the names of the API. */
type WireOf<F extends Filters> = { [K in keyof F as F[K]['wire']]: Value<F[K]['read']> | undefined };

export interface Order<Column extends string> {
  sort?: Column;
  dir?: Direction;
}

/** What a list's URL carries: filters, order, and whatever else the screen keeps there. */
export type SearchOf<F extends Filters, R extends Readers, Column extends string> = ValuesOf<F> &
  Order<Column> &
  RestOf<R> & {
    /** The saved view that was opened last. */
    saved?: string;
  };

export interface ListSearch<F extends Filters, R extends Readers, Column extends string> {
  filters: F;
  /** Readers of other parameters, such as the open row. */
  rest: R;
  /** Those of them that a saved view keeps, such as the tab. */
  kept?: readonly (keyof R & string)[];
  /** The columns of the order. The first is the default, descending. */
  columns: readonly [Column, ...Column[]];
}

/** What a saved view keeps beside filters, order and the parameters that a list names. */
const KEPT = ['sort', 'dir', 'rows'];

/**
 * A list, described once: its URL, read with safe fallbacks, the query for the API, the controls and chips of its
 * filters, and what a saved view keeps follow from it.
 */
export function defineList<F extends Filters, R extends Readers, Column extends string>({
  filters,
  rest,
  kept = [],
  columns,
}: ListSearch<F, R, Column>) {
  const defaultSort: Sort<Column> = { column: columns[0], direction: 'desc' };
  const inView = new Set<string>([...Object.keys(filters), ...kept, ...KEPT]);
  const filtersOf = (raw: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(filters).map(([name, { read }]) => [name, read(raw[name])]),
    ) as ValuesOf<F>;
  const restOf = (raw: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(rest).map(([name, read]) => [name, read(raw[name])])) as RestOf<R>;

  return {
    filters,

    /**
     * Reads the URL's parameters. A parameter that makes no sense is returned as undefined, not left out: the router lays
     * the result over the raw parameters.
     */
    read: (raw: Record<string, unknown>): SearchOf<F, R, Column> => ({
      ...filtersOf(raw),
      ...restOf(raw),
      sort: oneOf(columns, raw.sort),
      dir: oneOf(['asc', 'desc'], raw.dir),
      saved: uuid(raw.saved),
    }),

    /** The filters of a URL with its order, completed with the default. */
    complete({ sort, dir, ...others }: SearchOf<F, R, Column>): ValuesOf<F> & { sort: Sort<Column> } {
      const narrowing = Object.fromEntries(Object.entries(others).filter(([name]) => name in filters));
      return {
        ...(narrowing as ValuesOf<F>),
        sort: { column: sort ?? defaultSort.column, direction: dir ?? defaultSort.direction },
      };
    },

    /** A sort as the URL carries it; the default is left out. */
    sortParams: ({ column, direction }: Sort<Column>): Order<Column> => ({
      sort: column === defaultSort.column ? undefined : column,
      dir: direction === defaultSort.direction ? undefined : direction,
    }),

    /** Filters under the names of the API. Days that move with today are those of today. */
    wire(values: ValuesOf<F>, now = new Date()): WireOf<F> {
      const fixed: Record<string, string | undefined> = { ...values };
      for (const [name, { face }] of Object.entries(filters)) {
        const preset = fixed[name];
        if (face?.kind !== 'days' || face.end !== 'from' || !isPreset(preset)) continue;
        const { from, to } = daysOf(preset, now);
        fixed[name] = from;
        const other = otherEnd(filters, face);
        if (other) fixed[other] = to;
      }
      return Object.fromEntries(
        Object.entries(filters).map(([name, { wire }]) => [wire, fixed[name]]),
      ) as WireOf<F>;
    },

    /** Every filter, unset. */
    noFilters: filtersOf({}),

    /** The part of the URL that a saved view keeps: neither the page nor the open row. Parameters in order. */
    viewOf(search: object): string {
      const params = Object.entries(search).filter(([name]) => inView.has(name));
      return stringifySearch(Object.fromEntries(params.toSorted(([a], [b]) => (a < b ? -1 : 1)))).slice(1);
    },

    /** The parameters of a saved view, on its first page. Those that it does not name are unset. */
    searchOf(query: string): Record<string, string | undefined> {
      const raw = parseSearch(query);
      return { ...Object.fromEntries([...inView].map((name) => [name, raw[name]])), page: undefined };
    },
  };
}
