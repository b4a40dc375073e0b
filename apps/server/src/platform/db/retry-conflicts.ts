import { setTimeout as sleep } from 'node:timers/promises';

/** deadlock_detected, serialization_failure: the database rolled the transaction back because of another one. */
const CONFLICTS = new Set(['40P01', '40001']);
const ATTEMPTS = 5;
const PAUSE_MS = 20;

/** Whether the database rolled a transaction back because of another one: nothing was done, and it may be repeated. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has((error as { code?: string } | null)?.code ?? '');
}

/**
 * Retries a transaction that the database rolled back because of another one. The whole of `run` is repeated, so `run`
 * opens the transaction and has no effect outside it.
 * @throws the conflict of the last attempt; any other failure at once
 */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      await sleep(PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}
