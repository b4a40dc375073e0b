const USDT = /^\d{1,20}(\.\d{1,18})?$/;

/** An amount as typed, or null when it is none above zero. */
export function typedUsdt(typed: string): string | null {
  const text = typed.trim();
  return USDT.test(text) && /[1-9]/.test(text) ? text : null;
}

/** A whole number within bounds, as typed; null when it is none. */
export function typedCount(typed: string, min: number, max: number): number | null {
  const text = typed.trim();
  const count = Number(text);
  return /^\d{1,9}$/.test(text) && count >= min && count <= max ? count : null;
}

/** The start of a day of UTC, as a date field has it; null for an empty field. */
export const startOfDay = (day: string): string | null => (day ? `${day}T00:00:00.000Z` : null);

/** The end of a day of UTC: the start of the next one. */
export function endOfDay(day: string): string | null {
  return day ? new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString() : null;
}
