// Every date and time on screen is in UTC and says so: filters, sums and explorers use UTC days as well, and people in
// different time zones read the same time.
const UTC = { timeZone: 'UTC', hourCycle: 'h23' } as const;
const clock = new Intl.DateTimeFormat('en-US', {
  ...UTC,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const minute = new Intl.DateTimeFormat('en-US', { ...UTC, hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
const local = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/**
 * The time of a reading, as short as is clear: `14:02:05 UTC` today, `Nov 3, 14:02 UTC` this year, else with the year.
 */
export function readTime(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  if (dayOfYear.format(at) === dayOfYear.format(now)) return clockTime(iso);
  const date = at.getUTCFullYear() === now.getUTCFullYear() ? day.format(at) : dayOfYear.format(at);
  return `${date}, ${minuteWords(iso)}`;
}

/** The time of day to the second: `14:02:05 UTC`. */
export const clockTime = (iso: string) => `${clock.format(new Date(iso))} UTC`;

/** The time of day beside a date: `14:05 UTC`. */
export const minuteWords = (iso: string) => `${minute.format(new Date(iso))} UTC`;

/** A time to the minute: `Nov 23, 14:05 UTC`. */
export const momentWords = (iso: string) => `${day.format(new Date(iso))}, ${minuteWords(iso)}`;

/** Date and time in full, with the local time, for the tooltip of the short form. */
export function fullTime(iso: string): string {
  const at = new Date(iso);
  const full = `${dayOfYear.format(at)}, ${clockTime(iso)}`;
  return at.getTimezoneOffset() === 0 ? full : `${full} (${local.format(at)})`;
}
