const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** The largest unit that fits, years from two on; below a minute it is "just now". */
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, lengthS: number, fromS?: number][] = [
  ['year', 365 * DAY_S, 730 * DAY_S],
  ['month', 30 * DAY_S],
  ['week', 7 * DAY_S],
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', MINUTE_S],
];

/** A time relative to now: `9 months ago`. */
export function relativeTime(iso: string, now: Date = new Date()): string {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1_000;
  const [unit, length] = UNITS.find(([, lengthS, fromS = lengthS]) => seconds >= fromS) ?? [];
  return unit && length ? words.format(-Math.floor(seconds / length), unit) : 'just now';
}
