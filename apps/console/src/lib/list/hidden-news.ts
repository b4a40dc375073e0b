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
