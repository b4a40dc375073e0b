const DAY_MS = 86_400_000;

/** Days that a key without addresses lives. */
export const KEY_DAYS = 90;

/** A date as the key call writes it: ISO 8601 without fractions of a second. */
export const keyDate = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');

/** The end of a key without addresses. The same all day, so that two answers about a key are equal. */
export const keyEnd = (now: number): string => keyDate((Math.floor(now / DAY_MS) + KEY_DAYS) * DAY_MS);
