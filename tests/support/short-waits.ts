import { afterAll, beforeAll } from 'vitest';
import { WAITS } from '../../apps/server/src/platform/db/connection/silence.ts';

/** Shortens this process's waits for the database while a file runs: other files use the same code. */
export function shortenWaits(waits: Partial<typeof WAITS>): void {
  const before = { ...WAITS };
  beforeAll(() => {
    Object.assign(WAITS, waits);
  });
  afterAll(() => {
    Object.assign(WAITS, before);
  });
}
