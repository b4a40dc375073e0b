/** The ranges of charts, as named in a URL. */
export const RANGES = ['30d', '90d', '1y', 'all'] as const;
export type Range = (typeof RANGES)[number];
export const RANGE_LABELS: Record<Range, string> = {
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All',
};

const DAY_MS = 86_400_000;
const LENGTHS: Record<Exclude<Range, 'all'>, number> = { '30d': 30, '90d': 90, '1y': 365 };
/** Earlier than any exchange's records. */
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
