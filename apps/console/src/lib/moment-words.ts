const moment = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

const minute = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** The time of day beside a date: `14:05 UTC`. */
export const minuteWords = (iso: string) => `${minute.format(new Date(iso))} UTC`;

/** A moment that matters to the minute, with its zone: `Nov 23, 14:05 UTC`. */
export const momentWords = (iso: string) => `${moment.format(new Date(iso))} UTC`;
