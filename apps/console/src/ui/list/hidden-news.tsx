import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

/** The two counts are read one after the other: waits until both have seen a new row. */
const SETTLED_AFTER_MS = 3_000;

export interface HiddenNewsProps {
  /** How many rows the list has without filters. Live updates read it again, as they read the list. */
  // biome-ignore lint/suspicious/noExplicitAny: the key of a query is its own affair
  all: UseQueryOptions<any, Error, number, any>;
  /** How many match the filters, in all tabs; undefined while it is not known, or belongs to other filters. */
  shown: number | undefined;
  /** Leads to the list without filters. */
  onShow(): void;
}

/**
 * Says how many rows were added since the list was filtered that the filters hide. Give it a `key` of the
 * filters.
 */
export default function HiddenNews({ all: query, shown, onShow }: HiddenNewsProps) {
  // The list itself comes first.
  const { data: all } = useQuery({ ...query, enabled: shown !== undefined });
  const [first, setFirst] = useState<{ all: number; shown: number } | null>(null);
  const now = all === undefined || shown === undefined ? null : { all, shown };
  if (first === null && now !== null) setFirst(now);
  const count = useDebounced(first && now ? hiddenNews(first, now) : 0, SETTLED_AFTER_MS);
  return (
    <span role="status" className="empty:hidden">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="rounded px-1 font-medium whitespace-nowrap text-accent tabular-nums hover:bg-accent-soft"
        >
          {formatCount(count)} new, hidden by your filter: show
        </button>
      )}
    </span>
  );
}

interface Counts {
  /** Without filters. */
  all: number;
  /** Under the filters. */
  shown: number;
}

/**
 * How many rows were added that the filters hide: what the whole list grew by, less what its filtered part did. A row
 * that merely leaves the filtered part is none. Counts cannot tell a row that was added from one that took its place:
 * where rows also go, it is the least that was added.
 */
export function hiddenNews(first: Counts, now: Counts): number {
  const grown = Math.max(0, now.all - first.all);
  return Math.max(0, grown - Math.max(0, now.shown - first.shown));
}
