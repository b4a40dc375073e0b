/** Days that move with today, as the URL and a saved view keep them. */
export const PRESETS = {
  today: 'Today',
  last_7_days: 'Last 7 days',
  last_30_days: 'Last 30 days',
  this_month: 'This month',
  last_month: 'Last month',
  this_quarter: 'This quarter',
} as const;
export type Preset = keyof typeof PRESETS;

export const isPreset = (value: unknown): value is Preset =>
  typeof value === 'string' && Object.hasOwn(PRESETS, value);

const DAY_MS = 86_400_000;
const MONTHS_A_QUARTER = 3;
const written = (at: Date) => at.toISOString().slice(0, 10);

/**
 * First and last day, both included and both UTC, as the filters have them.
 * @param now which day is today
 */
export function daysOf(preset: Preset, now: Date): { from: string; to: string } {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const today = written(now);
  /** A day of this month or of one beside it: day 0 is the last of the month before. */
  const dayOf = (monthsOn: number, day: number) => written(new Date(Date.UTC(year, month + monthsOn, day)));
  const daysAgo = (days: number) => written(new Date(now.getTime() - days * DAY_MS));
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'last_7_days':
      return { from: daysAgo(6), to: today };
    case 'last_30_days':
      return { from: daysAgo(29), to: today };
    case 'this_month':
      return { from: dayOf(0, 1), to: today };
    case 'last_month':
      return { from: dayOf(-1, 1), to: dayOf(0, 0) };
    case 'this_quarter':
      return { from: dayOf(-(month % MONTHS_A_QUARTER), 1), to: today };
  }
}
