import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDebounced } from '../../lib/use-debounced.ts';
import {
  type Trader,
  type TradersPage,
  tradersKeys,
  tradersWindowQuery,
  WINDOW_ROWS,
} from './traders-queries.ts';
import type { TraderListFilters } from './traders-search.ts';

/** Rows fetched beyond the viewport. */
const AHEAD_ROWS = 30;
/** Faster scrolling passes a window without requesting it. */
const SETTLE_MS = 70;

interface Shown {
  key: string;
  filters: TraderListFilters;
  meta: TradersPage['meta'];
}

/**
 * The list by index, of any length: fetches the windows in view and drops requests for those scrolled past. After a
 * change of filters the previous rows stay until the first new ones arrive.
 */
export function useTraderRows(filters: TraderListFilters) {
  const client = useQueryClient();
  const key = JSON.stringify(filters);
  // A string, so that scrolling within the same windows renders only the table, not the whole screen.
  const [view, setView] = useState(`${key}#0`);
  const settled = useDebounced(view, SETTLE_MS);
  // The first window after a change of filters is requested at once; only scrolling waits.
  const wanted = settled.startsWith(`${key}#`) ? settled.slice(key.length + 1) : '0';

  const results = useQueries({
    queries: wanted.split(',').map((offset) => tradersWindowQuery(filters, Number(offset))),
  });
  const latest = results
    .filter((result) => result.data)
    .sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data;
  const error = results.find((result) => result.error)?.error ?? null;

  const previous = useRef<Shown | null>(null);
  const current: Shown | null = latest
    ? { key, filters, meta: latest.meta }
    : previous.current?.key === key
      ? previous.current
      : null;
  const shown = current ?? (error ? null : previous.current);
  useEffect(() => {
    if (current) previous.current = current;
  });

  const shownFilters = shown?.filters;
  const stamp = results.map((result) => result.dataUpdatedAt).join();
  const rowAt = useMemo(() => {
    void stamp; // New data creates a new lookup, so that rows are read again.
    const windows = new Map<number, TradersPage | undefined>();
    return (row: number): Trader | undefined => {
      if (!shownFilters) return undefined;
      const { offset, at } = placeOf(row, WINDOW_ROWS);
      if (!windows.has(offset)) {
        windows.set(offset, client.getQueryData(tradersWindowQuery(shownFilters, offset).queryKey));
      }
      return windows.get(offset)?.data[at];
    };
  }, [client, shownFilters, stamp]);

  const onRangeChange = useCallback(
    ({ first, last }: { first: number; last: number }) =>
      setView(`${key}#${windowsFor(first - AHEAD_ROWS, last + AHEAD_ROWS, WINDOW_ROWS).join()}`),
    [key],
  );
  return {
    key,
    meta: shown?.meta ?? null,
    isStale: shown !== null && shown.key !== key,
    error,
    rowAt,
    onRangeChange,
    retry: () => void client.refetchQueries({ queryKey: tradersKeys.list(filters), type: 'active' }),
  };
}

/** Offsets of the windows that cover the rows from first to last, both included. */
export function windowsFor(first: number, last: number, windowRows: number): number[] {
  const from = Math.floor(Math.max(0, first) / windowRows);
  const to = Math.floor(Math.max(0, first, last) / windowRows);
  return Array.from({ length: to - from + 1 }, (_, step) => (from + step) * windowRows);
}

/** The window of a row: its offset, and the row's index in it. */
export function placeOf(row: number, windowRows: number): { offset: number; at: number } {
  const at = row % windowRows;
  return { offset: row - at, at };
}
