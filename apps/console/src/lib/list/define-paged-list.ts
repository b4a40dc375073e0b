import { oneOf } from '../url/search-params.ts';
import type { Sort } from '../url/sorting.ts';
import { defineList, type ListSearch, type Order, type Readers, type SearchOf } from './define-list.ts';
import { type Filters, pageNumber } from './filters.ts';

interface Paging {
  rows?: string;
  page?: string;
}

/**
 * The URL of a list with pages.
 * @param sizes page sizes, of which `rows` is the default
 */
export function definePagedList<F extends Filters, R extends Readers, Column extends string>({
  sizes,
  rows: defaultRows,
  ...options
}: ListSearch<F, R, Column> & { sizes: readonly number[]; rows: number }) {
  const list = defineList(options);
  return {
    ...list,
    sizes,

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
  };
}
