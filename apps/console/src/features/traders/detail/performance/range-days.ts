import type { Range } from '../detail-search.ts';

const DAY_MS = 86_400_000;
const LENGTHS: Record<Exclude<Range, 'all'>, number> = { '30d': 30, '90d': 90, '1y': 365 };
/** Before any exchange kept a record. */
const BEGINNING = '2009-01-03';

export interface Days {
  from: string;
  to: string;
}

/** First and last day (UTC) of a range that ends today. */
export function rangeDays(range: Range, now: Date): Days {
  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const to = dayAt(now.getTime());
  if (range === 'all') return { from: BEGINNING, to };
  return { from: dayAt(now.getTime() - (LENGTHS[range] - 1) * DAY_MS), to };
}
