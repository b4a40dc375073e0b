import { sumDecimals } from '../money/decimals.ts';

/** Realised PnL of a day, in USD. Days without a closed position are omitted. */
export interface PnlDay {
  day: string;
  /** Sum of known profits; null when there are none. */
  closed_pnl: string | null;
  positions: number;
  /** Number of positions missing from closed_pnl. */
  unknown_profit: number;
}

export interface CalendarWeek<D extends PnlDay> {
  /** Monday to Sunday; null for a day outside the range. */
  days: ({ day: string; pnl: D | null } | null)[];
  /** USD; null when no position with known profit was closed in this week. */
  total: string | null;
}

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** Monday is 0. */
const weekdayOf = (time: number) => (new Date(time).getUTCDay() + 6) % DAYS_OF_WEEK;

/** The whole weeks that cover a range of days (UTC), both ends included; none when the range is empty. */
export function calendarWeeks<D extends PnlDay>(
  from: string,
  to: string,
  days: readonly D[],
): CalendarWeek<D>[] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const first = timeOf(from);
  const last = timeOf(to);
  const weeks: CalendarWeek<D>[] = [];
  if (first > last) return weeks;
  for (let monday = first - weekdayOf(first) * DAY_MS; monday <= last; monday += DAYS_OF_WEEK * DAY_MS) {
    const cells = Array.from({ length: DAYS_OF_WEEK }, (_, weekday) => {
      const time = monday + weekday * DAY_MS;
      if (time < first || time > last) return null;
      const day = dayOf(time);
      return { day, pnl: byDay.get(day) ?? null };
    });
    const closed = cells.flatMap((cell) => cell?.pnl?.closed_pnl ?? []);
    weeks.push({ days: cells, total: closed.length > 0 ? sumDecimals(closed) : null });
  }
  return weeks;
}

/** First and last day of a month, `2026-02`. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: dayOf(Date.UTC(year, number, 0)) };
}

/** The month this many months later, or earlier when negative. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return dayOf(Date.UTC(year, number - 1 + by, 1)).slice(0, 7);
}
