import { setTimeout as sleep } from 'node:timers/promises';

/** deadlock_detected, serialization_failure: the transaction was undone because of another one. */
const CONFLICTS = new Set(['40P01', '40001']);
const ATTEMPTS = 5;
const PAUSE_MS = 20;

/**
 * Runs a transaction again when the database gave it up for another one's sake. All of it is run again: `run` opens
 * the transaction, and does nothing outside of it.
 */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !CONFLICTS.has((error as { code?: string }).code ?? '')) throw error;
      await sleep(PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}
