import { ApiError } from './api-error.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** Retries this many times, except after a final answer: asking again would not change it. */
export function retryUnless(isFinal: (status: number) => boolean, most: number) {
  return (failures: number, error: unknown) =>
    failures < most && !(error instanceof ApiError && isFinal(error.status));
}

/** 1 s, doubling, at most 30 s (console spec, section 9). */
export function retryDelay(attempt: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS);
}
