const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** The local time of day, 24 hours: 14:02:05. */
export function clockTime(iso: string): string {
  return time.format(new Date(iso));
}
