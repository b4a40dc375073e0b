import { oneOf } from './search-params.ts';
import type { Direction, Sort } from './sorting.ts';

/** Reads one parameter of a URL; undefined when it makes no sense. */
type Reader<T> = (value: unknown) => T | undefined;
type Readers = Record<string, Reader<string>>;

/** The values of a table of readers, each of which may be missing. */
export type ValuesOf<R extends Readers> = { [K in keyof R]?: Exclude<ReturnType<R[K]>, undefined> };

interface Order<Column extends string> {
  sort?: Column;
  dir?: Direction;
  rows?: string;
  page?: string;
}

/** What a list's URL carries: filters, order, page, and whatever else the screen keeps there. */
export type SearchOf<Filters, Column extends string, Rest> = Filters & Order<Column> & Rest;

/**
 * The URL of a list, read with safe fallbacks. A filter is named once, with its reader: types, the empty filters, and the
 * URL follow from it.
 * @param filters readers of the filters
 * @param rest readers of other parameters, such as the open row
 * @param sizes page sizes; the first sort column and `rows` are the defaults
 */
export function createListSearch<F extends Readers, R extends Readers, Column extends string>({
  filters,
  rest,
  columns,
  sizes,
  rows: defaultRows,
}: {
  filters: F;
  rest: R;
  columns: readonly [Column, ...Column[]];
  sizes: readonly number[];
  rows: number;
}) {
  type Search = SearchOf<ValuesOf<F>, Column, ValuesOf<R>>;
  const defaultSort: Sort<Column> = { column: columns[0], direction: 'desc' };
  const valuesOf = <T extends Readers>(readers: T, raw: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(raw[name])])) as ValuesOf<T>;

  return {
    /**
     * Reads the URL's parameters. A parameter that makes no sense is returned as undefined, not left out: the router lays
     * the result over the raw parameters.
     */
    read: (raw: Record<string, unknown>): Search => ({
      ...valuesOf(filters, raw),
      ...valuesOf(rest, raw),
      sort: oneOf(columns, raw.sort),
      dir: oneOf(['asc', 'desc'], raw.dir),
      rows: oneOf(
        sizes.map((size) => String(size)),
        raw.rows,
      ),
      page: pageNumber(raw.page),
    }),

    /** The filters of a URL with its order and page, completed with the defaults. */
    complete({ sort, dir, rows, page, ...others }: Search): ValuesOf<F> & {
      sort: Sort<Column>;
      rows: number;
      page: number;
    } {
      const narrowing = Object.fromEntries(Object.entries(others).filter(([name]) => name in filters));
      return {
        ...(narrowing as ValuesOf<F>),
        sort: { column: sort ?? defaultSort.column, direction: dir ?? defaultSort.direction },
        rows: Number(rows ?? defaultRows),
        page: Number(page ?? 1),
      };
    },

    /** A sort as the URL carries it; the default is left out. A new order begins on its first page. */
    sortParams: ({ column, direction }: Sort<Column>): Order<Column> => ({
      sort: column === defaultSort.column ? undefined : column,
      dir: direction === defaultSort.direction ? undefined : direction,
      page: undefined,
    }),

    /** A page size as the URL carries it. A new size begins on the first page. */
    rowsParam: (rows: number): Order<Column> => ({
      rows: rows === defaultRows ? undefined : String(rows),
      page: undefined,
    }),

    /** Every filter, unset. */
    noFilters: valuesOf(filters, {}),
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
