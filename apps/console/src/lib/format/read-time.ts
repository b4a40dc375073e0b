import { clockTime, dateOf, formatDay, minuteOf, ownParts, type Parts, partsIn, UTC } from './zone-time.ts';

const MISSING = 'N/A';

/** The date of a time in the person's zone, or a day as it is: `Nov 3, 2026`. */
export function formatDate(iso: string | null | undefined): string {
  if (!iso) return MISSING;
  return iso.length === '2026-11-03'.length ? formatDay(iso) : dateOf(ownParts(iso));
}

/** The same beside others of its year: `Nov 3`. */
export const shortDay = (iso: string) => dateOf(partsIn(UTC, new Date(iso)), false);

/** A time as short as is clear: `today 14:02`, `Nov 3, 14:02` this year, else with the year. */
export function readTime(iso: string, now: Date = new Date()): string {
  const [at, today] = [ownParts(iso), ownParts(now)];
  if (dateOf(at) === dateOf(today)) return `today ${minuteOfDay(iso)}`;
  return `${dateOf(at, at.year !== today.year)}, ${minuteOfDay(iso)}`;
}

/** The time of day beside a date: `14:05`. */
export function minuteOfDay(iso: string): string {
  const { hour, minute } = ownParts(iso);
  return `${hour}:${minute}`;
}

/** A time to the minute: `Nov 23, 14:05 UTC`. */
export function momentWords(iso: string): string {
  const at = ownParts(iso);
  return `${dateOf(at, false)}, ${minuteOf(at)}`;
}

const wallOf = ({ day, hour, minute }: Parts) => day + hour + minute;

/** Date and time in full, with the time of the device, or else of UTC, for the tooltip of the short form. */
export function fullTime(iso: string): string {
  const at = new Date(iso);
  const own = ownParts(at);
  const full = `${dateOf(own)}, ${clockTime(iso)}`;
  const beside = partsIn(own.timeZoneName === UTC ? deviceZone() : UTC, at);
  return wallOf(own) === wallOf(beside) ? full : `${full} (${dateOf(beside, false)}, ${minuteOf(beside)})`;
}

export const deviceZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
