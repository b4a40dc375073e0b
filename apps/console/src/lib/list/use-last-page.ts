import { useEffect } from 'react';

/** The last page of a list. */
export const lastPageOf = (total: number, rows: number) => Math.max(1, Math.ceil(total / rows));

interface Shown {
  /** Counted from 1. */
  page: number;
  /** Of a page. */
  rows: number;
  /** Of the list; undefined while it is not known, or belongs to other filters. */
  total: number | undefined;
}

/** Leads from a page beyond the end, as when its last row has left, to the last that exists. */
export function useLastPage({ page, rows, total }: Shown, toPage: (page: number) => void): void {
  const last = total === undefined ? page : lastPageOf(total, rows);
  useEffect(() => {
    if (page > last) toPage(last);
  }, [page, last, toPage]);
}
