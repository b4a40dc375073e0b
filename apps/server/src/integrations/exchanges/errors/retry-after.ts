import type { VenueAnswer } from '../transport/current-call.ts';

const LONGEST_MS = 86_400_000;

/** Retry-After in ms, from the venue's seconds; null when it is missing or not a number. */
export function retryAfterHeader(answer: VenueAnswer): number | null {
  return headerMs(answer, 'retry-after', 1_000);
}

/** A header with a duration, in ms; null when it is missing or not a number. */
export function headerMs(answer: VenueAnswer, name: string, unitMs = 1): number | null {
  const value = answer.headers[name];
  if (value === undefined || !/^\d{1,13}(\.\d+)?$/.test(value)) return null;
  return Math.min(LONGEST_MS, Math.ceil(Number(value) * unitMs));
}
