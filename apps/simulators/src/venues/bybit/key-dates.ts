const DAY_MS = 86_400_000;

/** Days that a key without addresses lives. */
export const KEY_DAYS = 90;

/** Of the keys without addresses one in twelve is nearly as old as it gets. */
export function keyDaysLeft(accUid: string): number {
  const number = Number(accUid);
  return number % 12 === 0 ? 2 + (Math.floor(number / 12) % 12) : KEY_DAYS;
}

/** A date as the key call writes it: ISO 8601 without fractions of a second. */
export const keyDate = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');

/**
 * The end of a key without addresses. The same all day, so that two answers about a key are equal, and as many days away
 * on each: in a demo world that runs for weeks, keys still end soon, and none has ended.
 */
export const keyEnd = (now: number, daysLeft = KEY_DAYS): string =>
  keyDate((Math.floor(now / DAY_MS) + daysLeft) * DAY_MS);
