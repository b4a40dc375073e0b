import { oneOf } from './search-params.ts';
import type { Direction, Sort } from './sorting.ts';

/** Reads one parameter of a URL; undefined when it makes no sense. */
type Reader<T> = (value: unknown) => T | undefined;
type Readers = Record<string, Reader<string>>;

/** A filter: how to read it from the URL, and its name in the API. */
interface Filter<T extends string = string, Wire extends string = string> {
  read: Reader<T>;
  wire: Wire;
}
type Filters = Record<string, Filter>;

type Value<R extends Reader<string>> = Exclude<ReturnType<R>, undefined>;
type RestOf<R extends Readers> = { [K in keyof R]?: Value<R[K]> };
/** The values of filters, each of which may be missing. */
export type ValuesOf<F extends Filters> = { [K in keyof F]?: Value<F[K]['read']> };
/** The same under the names of the API. */
type WireOf<F extends Filters> = { [K in keyof F as F[K]['wire']]: Value<F[K]['read']> | undefined };

export const filter = <T extends string, const Wire extends string>(
  read: Reader<T>,
  wire: Wire,
): Filter<T, Wire> => ({ read, wire });

interface Order<Column extends string> {
  sort?: Column;
  dir?: Direction;
}
interface Paging {
  rows?: string;
  page?: string;
}

/** What a list's URL carries: filters, order, and whatever else the screen keeps there. */
type SearchOf<F extends Filters, R extends Readers, Column extends string> = ValuesOf<F> &
  Order<Column> &
  RestOf<R>;

interface ListSearch<F extends Filters, R extends Readers, Column extends string> {
  filters: F;
  /** Readers of other parameters, such as the open row. */
  rest: R;
  /** The columns of the order. The first is the default, descending. */
  columns: readonly [Column, ...Column[]];
}

/**
 * The URL of a list, read with safe fallbacks. A filter is named once, with its reader and its name in the API: types,
 * the empty filters, the URL and the query follow from it.
 */
export function createListSearch<F extends Filters, R extends Readers, Column extends string>({
  filters,
  rest,
  columns,
}: ListSearch<F, R, Column>) {
  const defaultSort: Sort<Column> = { column: columns[0], direction: 'desc' };
  const filtersOf = (raw: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(filters).map(([name, { read }]) => [name, read(raw[name])]),
    ) as ValuesOf<F>;
  const restOf = (raw: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(rest).map(([name, read]) => [name, read(raw[name])])) as RestOf<R>;

  return {
    /**
     * Reads the URL's parameters. A parameter that makes no sense is returned as undefined, not left out: the router lays
     * the result over the raw parameters.
     */
    read: (raw: Record<string, unknown>): SearchOf<F, R, Column> => ({
      ...filtersOf(raw),
      ...restOf(raw),
      sort: oneOf(columns, raw.sort),
      dir: oneOf(['asc', 'desc'], raw.dir),
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

    /** Filters under the names of the API. */
    wire: (values: ValuesOf<F>) =>
      Object.fromEntries(
        Object.entries(filters).map(([name, { wire }]) => [wire, values[name]]),
      ) as WireOf<F>,

    /** Every filter, unset. */
    noFilters: filtersOf({}),
  };
}

/**
 * The URL of a list with pages.
 * @param sizes page sizes, of which `rows` is the default
 */
export function createPagedSearch<F extends Filters, R extends Readers, Column extends string>({
  sizes,
  rows: defaultRows,
  ...options
}: ListSearch<F, R, Column> & { sizes: readonly number[]; rows: number }) {
  const list = createListSearch(options);
  return {
    read: (raw: Record<string, unknown>): SearchOf<F, R, Column> & Paging => ({
      ...list.read(raw),
      rows: oneOf(
        sizes.map((size) => String(size)),
        raw.rows,
      ),
      page: pageNumber(raw.page),
    }),

    /** The filters of a URL with its order and page, completed with the defaults. */
    complete: (search: SearchOf<F, R, Column> & Paging) => ({
      ...list.complete(search),
      rows: Number(search.rows ?? defaultRows),
      page: Number(search.page ?? 1),
    }),

    /** A new order begins on its first page. */
    sortParams: (sort: Sort<Column>): Order<Column> & Paging => ({
      ...list.sortParams(sort),
      page: undefined,
    }),

    /** A page size as the URL carries it. A new size begins on the first page. */
    rowsParam: (rows: number): Paging => ({
      rows: rows === defaultRows ? undefined : String(rows),
      page: undefined,
    }),

    wire: list.wire,
    noFilters: list.noFilters,
  };
}

const matching = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const pageNumber = (value: unknown) => matching(value, /^[1-9]\d{0,5}$/);

/** A day that exists, as the URL and the API write it. */
export function day(value: unknown): string | undefined {
  const written = matching(value, /^20\d\d-\d\d-\d\d$/);
  return written && new Date(`${written}T00:00Z`).getUTCDate() === Number(written.slice(8))
    ? written
    : undefined;
}

/** An amount of USDT as the API takes it. */
export const amount = (value: unknown) => matching(value, /^\d{1,20}(\.\d{1,18})?$/);

/** A reader that takes one of the values allowed. */
export const among =
  <const T extends string>(allowed: readonly T[]): Reader<T> =>
  (value) =>
    oneOf(allowed, value);
