const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/**
 * When something was read, as short as it stays clear: 14:02:05 today, `Nov 3, 14:02` this year, else with the
 * year. Local time throughout, because it is compared with the clock on the wall.
 */
export function readTime(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  const date = at.getFullYear() === now.getFullYear() ? day.format(at) : dayOfYear.format(at);
  return `${date}, ${minute.format(at)}`;
}

/** Date and time in full, for those who point at the short form. */
export function fullTime(iso: string): string {
  const at = new Date(iso);
  return `${dayOfYear.format(at)}, ${clock.format(at)}`;
}
