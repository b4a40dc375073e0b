import type { Exchange } from '@copydesk/domain/catalogue';
import fc from 'fast-check';
import { expect } from 'vitest';
import { GatewayError } from '../../../apps/server/src/integrations/exchanges/gateway.ts';
import type { EarlyEnd } from '../../../apps/server/src/integrations/exchanges/paging/page-trail.ts';
import type { Session } from '../../../apps/server/src/integrations/exchanges/venue.ts';
import { printedSeed } from '../printed-seed.ts';
import { CREDENTIALS } from './loopback-venue.ts';

/** Runs of one venue's figures: FIGURES_SEED=123 repeats one. */
export const RUNS = { seed: printedSeed('FIGURES_SEED'), numRuns: 400 };

export const NOW = 1_800_000_000_000;

/** A session that a function answers; the call rethrows its errors. @param ends takes the early ends of lists */
export const sessionOf = (
  exchange: Exchange,
  answer: (method: string, params: Record<string, unknown>) => unknown,
  ends: EarlyEnd[] = [],
): Session => ({
  credentials: CREDENTIALS[exchange],
  now: () => NOW,
  noteEnd(_endpoint, end) {
    if (end !== null) ends.push(end);
  },
  call: async ({ method }, params = {}) => answer(method, params),
  callPublic: async ({ method }, params = {}) => answer(method, params),
});

/** An amount of money or coins, of either sign. */
export const amount = fc
  .integer({ min: -99_999_999, max: 99_999_999 })
  .map((whole) => (whole / 10_000).toFixed(4));

/** A size above zero. */
export const size = fc.integer({ min: 1, max: 9_999_999 }).map((whole) => (whole / 1_000).toFixed(3));

/** A price, or a venue's value for a missing one. */
export const price = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 99_999_999 }).map((whole) => (whole / 100).toFixed(2)) },
  { weight: 1, arbitrary: fc.constantFrom('', '0', '0.0') },
);

/** The number behind a price; null where the venue has none. */
export const priceKnown = (text: string): number | null => (Number(text) > 0 ? Number(text) : null);

/** A product, known only if both factors are. */
export const times = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one * other;

/** A sum; null as soon as one part is unknown. */
export const sum = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((total, part) => (total === null || part === null ? null : total + part), 0);

/** The reported figure equals the true one, and is null when the true one is unknown. */
export function expectFigure(told: string | null | undefined, truth: number | null): void {
  if (truth === null) expect(told).toBeNull();
  else {
    expect(told).toMatch(/^-?\d+(\.\d+)?$/);
    expect(Math.abs(Number(told) - truth)).toBeLessThanOrEqual(1e-6 + Math.abs(truth) * 1e-9);
  }
}

/**
 * A failing read must fail with our own error; otherwise its figures are compared. @param isKnown whether it may answer
 */
export async function expectRead<T>(
  read: Promise<T>,
  isKnown: boolean,
  compare: (told: T) => void,
): Promise<void> {
  const told = await read.catch((error: unknown) => error);
  if (told instanceof GatewayError) expect([told.code, isKnown]).toEqual([told.code, false]);
  else if (told instanceof Error) throw told;
  else {
    expect(isKnown).toBe(true);
    compare(told as T);
  }
}
