import type { DateFormat } from '@copydesk/domain/person';
import { personSettings } from '../person-settings.ts';

// A time on screen is in the zone of its reader, which the top bar names; times that stand in a sentence say it as well.
// Days are of UTC where filters, sums and explorers have days of UTC: a plain day is never converted.
const UTC = 'UTC';
const MISSING = 'N/A';
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'timeZoneName';
type Parts = Record<Part, string>;

const LONG = { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' } as const;

/** By time zone, and by the locale that has the names of zones: making one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string, locale = 'en-US'): Intl.DateTimeFormat {
  const key = locale + timeZone;
  let format = formats.get(key);
  if (!format) {
    try {
      format = new Intl.DateTimeFormat(locale, { ...LONG, timeZone });
    } catch {
      // A zone that this browser does not know yet: its times are then those of UTC, and say so.
      format = formatIn(UTC, locale);
    }
    formats.set(key, format);
  }
  return format;
}

const partsBy = (format: Intl.DateTimeFormat, at: Date) =>
  Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value])) as Parts;

function partsIn(zone: string, at: Date): Parts {
  const parts = partsBy(formatIn(zone), at);
  // Zones of Europe have names in Europe only: CET instead of GMT+1.
  return /^GMT[+-]/.test(parts.timeZoneName)
    ? { ...parts, timeZoneName: partsBy(formatIn(zone, 'en-GB'), at).timeZoneName }
    : parts;
}

const ownParts = (iso: string | Date) => partsIn(personSettings.get().time_zone, new Date(iso));

/** With and without the year; a day of ISO 8601 always has it. */
const DATES: Record<DateFormat, (parts: Parts, hasYear: boolean) => string> = {
  month_day: ({ year, month, day }, hasYear) => `${month} ${day}${hasYear ? `, ${year}` : ''}`,
  day_month: ({ year, month, day }, hasYear) => `${day} ${month}${hasYear ? ` ${year}` : ''}`,
  iso: ({ year, month, day }) =>
    `${year}-${String(MONTHS.indexOf(month) / 3 + 1).padStart(2, '0')}-${day.padStart(2, '0')}`,
};
const dateOf = (parts: Parts, hasYear = true) => DATES[personSettings.get().dates](parts, hasYear);
const minuteOf = ({ hour, minute, timeZoneName }: Parts) => `${hour}:${minute} ${timeZoneName}`;

/** The short name of the person's zone at a time: `UTC`, `CEST`. */
export const zoneName = (at: string | Date = new Date()) => ownParts(at).timeZoneName;

/** The date of a time in the person's zone, or a day as it is: `Nov 3, 2026`. */
export function formatDate(iso: string | null | undefined): string {
  if (!iso) return MISSING;
  return iso.length === '2026-11-03'.length ? formatDay(iso) : dateOf(ownParts(iso));
}

/** The day of UTC that a time is in, where days count. */
export const formatDay = (iso: string) => dateOf(partsIn(UTC, new Date(iso)));

/** The same beside others of its year: `Nov 3`. */
export const shortDay = (iso: string) => dateOf(partsIn(UTC, new Date(iso)), false);

/** A time as short as is clear: `today 14:02`, `Nov 3, 14:02` this year, else with the year. */
export function readTime(iso: string, now: Date = new Date()): string {
  const [at, today] = [ownParts(iso), ownParts(now)];
  if (dateOf(at) === dateOf(today)) return `today ${minuteOfDay(iso)}`;
  return `${dateOf(at, at.year !== today.year)}, ${minuteOfDay(iso)}`;
}

/** The time of day to the second: `14:02:05 UTC`. */
export function clockTime(iso: string): string {
  const { hour, minute, second, timeZoneName } = ownParts(iso);
  return `${hour}:${minute}:${second} ${timeZoneName}`;
}

/** The time of day beside a date: `14:05`. */
export function minuteOfDay(iso: string): string {
  const { hour, minute } = ownParts(iso);
  return `${hour}:${minute}`;
}

/** The time of day in a sentence: `14:05 UTC`. */
export const minuteWords = (iso: string) => minuteOf(ownParts(iso));

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
