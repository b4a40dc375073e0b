import type { DateFormat } from '@copydesk/domain/person';
import { personSettings } from '../person-settings.ts';

// A time on screen is in the zone of its reader, which the top bar names; times within a sentence name it as
// well. Days are of UTC where filters, sums and explorers have days of UTC: a plain day is never converted.
export const UTC = 'UTC';
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'timeZoneName';
export type Parts = Record<Part, string>;

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

export function partsIn(zone: string, at: Date): Parts {
  const parts = partsBy(formatIn(zone), at);
  // Zones of Europe have names in Europe only: CET instead of GMT+1.
  return /^GMT[+-]/.test(parts.timeZoneName)
    ? { ...parts, timeZoneName: partsBy(formatIn(zone, 'en-GB'), at).timeZoneName }
    : parts;
}

export const ownParts = (iso: string | Date) => partsIn(personSettings.get().time_zone, new Date(iso));

/** With and without the year; a day of ISO 8601 always has it. */
const DATES: Record<DateFormat, (parts: Parts, hasYear: boolean) => string> = {
  month_day: ({ year, month, day }, hasYear) => `${month} ${day}${hasYear ? `, ${year}` : ''}`,
  day_month: ({ year, month, day }, hasYear) => `${day} ${month}${hasYear ? ` ${year}` : ''}`,
  iso: ({ year, month, day }) =>
    `${year}-${String(MONTHS.indexOf(month) / 3 + 1).padStart(2, '0')}-${day.padStart(2, '0')}`,
};
export const dateOf = (parts: Parts, hasYear = true) => DATES[personSettings.get().dates](parts, hasYear);
export const minuteOf = ({ hour, minute, timeZoneName }: Parts) => `${hour}:${minute} ${timeZoneName}`;

/** The short name of the person's zone at a time: `UTC`, `CEST`. */
export const zoneName = (at: string | Date = new Date()) => ownParts(at).timeZoneName;

/** The day of UTC that a time is in, where days count. */
export const formatDay = (iso: string) => dateOf(partsIn(UTC, new Date(iso)));

/** The time of day to the second: `14:02:05 UTC`. */
export function clockTime(iso: string): string {
  const { hour, minute, second, timeZoneName } = ownParts(iso);
  return `${hour}:${minute}:${second} ${timeZoneName}`;
}

/** The time of day in a sentence: `14:05 UTC`. */
export const minuteWords = (iso: string) => minuteOf(ownParts(iso));
