import { expect, test } from 'vitest';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';

/** Every request is answered in time, and three in a row take longer than the deadline. */
const SLOW = { kind: 'latency', ms: 300 } as const;
const SETTINGS = { timeoutMs: 700, deadlineMs: 700 };

test('a read that an operator waits for ends at its deadline, however many requests it takes', async () => {
  await using venue = await startSimulatedVenue('binance', {}, SETTINGS);
  const { credentials } = venue.ours(venue.spare('plain'));
  // Loads what is loaded once, which is no part of this.
  await venue.gateway.verify(credentials, { priority: 'background' });
  venue.faults.set(SLOW);
  const startedAt = performance.now();
  await expect(venue.gateway.verify(credentials, { priority: 'interactive' })).rejects.toMatchObject({
    code: 'timeout',
    isRetryable: true,
  });
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThanOrEqual(690);
  expect(tookMs).toBeLessThan(880);
});

test('the background has no deadline over its requests', async () => {
  await using venue = await startSimulatedVenue('binance', {}, SETTINGS);
  venue.faults.set(SLOW);
  const { credentials } = venue.ours(venue.spare('plain'));
  expect(await venue.gateway.verify(credentials, { priority: 'background' })).toMatchObject({
    mayWithdraw: false,
  });
});

test('a wait for our own limits is reported as such, and not as a slow exchange', async () => {
  await using venue = await startSimulatedVenue('bybit', {}, { ...SETTINGS, budgetShare: 0.1 });
  const account = venue.ours(venue.spare('plain'));
  const options = { priority: 'interactive', maxAgeMs: 0 } as const;
  await venue.gateway.keyInfo(account, { ...options, priority: 'background' });
  // A tenth of 10 a second is one, half of it at once: the second question would wait longer than the deadline is.
  const refusal = { code: 'rate_limited', retryAfterMs: expect.any(Number) };
  await expect(venue.gateway.keyInfo(account, options)).rejects.toMatchObject(refusal);
});
