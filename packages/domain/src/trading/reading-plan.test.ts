import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasShrunk, isLastReadFinal, nextReadInMs, planClosedRead, surelyKnownTo } from './reading-plan.ts';

const HOUR = 3_600_000;
const now = 1_800_000_000_000;
const calm = { now, hasShrunk: false, isRequested: false };
const known = {
  exchange: 'bybit' as const,
  connectedAt: now - 900 * HOUR,
  knownTo: now - 10 * 60_000,
  readAt: now - 10 * 60_000,
  rescannedAt: now - 2 * HOUR,
  unfinished: null,
};

test('a new account is read from the moment it was connected, and no earlier', () => {
  const fresh = {
    exchange: 'okx' as const,
    connectedAt: now - HOUR / 2,
    knownTo: null,
    readAt: null,
    rescannedAt: null,
    unfinished: null,
  };
  expect(planClosedRead(fresh, calm)).toEqual({
    since: now - HOUR / 2,
    until: now,
    cursor: null,
    isRescan: true,
  });
});

test('a calm account is not read for an hour; a closed position or a request does not wait', () => {
  expect(planClosedRead(known, calm)).toBeNull();
  expect(planClosedRead({ ...known, readAt: now - HOUR }, calm)).not.toBeNull();
  expect(planClosedRead(known, { ...calm, hasShrunk: true })).not.toBeNull();
  expect(planClosedRead(known, { ...calm, isRequested: true })).not.toBeNull();
});

test('a calm account of an expensive exchange is read every six hours', () => {
  const costly = { ...known, exchange: 'hyperliquid' as const };
  expect(planClosedRead({ ...costly, readAt: now - 5 * HOUR }, calm)).toBeNull();
  expect(planClosedRead({ ...costly, readAt: now - 6 * HOUR }, calm)).not.toBeNull();
});

test('a read overlaps the known range by an hour, and by three days once a day', () => {
  const asked = { ...calm, isRequested: true };
  expect(planClosedRead(known, asked)?.since).toBe(known.knownTo - HOUR);
  expect(planClosedRead({ ...known, rescannedAt: now - 24 * HOUR }, asked)).toMatchObject({
    since: known.knownTo - 72 * HOUR,
    isRescan: true,
  });
});

test('an unfinished range goes on where it stopped', () => {
  const unfinished = { since: now - 50 * HOUR, until: now - HOUR, cursor: 'x', isRescan: true };
  expect(planClosedRead({ ...known, unfinished }, calm)).toEqual(unfinished);
});

test('consecutive ranges leave no gap, for any times of the reads', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 * HOUR }), { maxLength: 30 }), (pauses) => {
      const state = {
        ...known,
        connectedAt: 0,
        knownTo: null as number | null,
        readAt: null as number | null,
      };
      let at = HOUR;
      let reached = 0;
      for (const pause of pauses) {
        at += pause;
        const plan = planClosedRead(state, { now: at, hasShrunk: false, isRequested: true });
        expect(plan?.since).toBeLessThanOrEqual(reached);
        expect(plan?.until).toBe(at);
        reached = at;
        state.knownTo = at;
        state.readAt = at;
      }
    }),
  );
});

test('times from a clock that was ahead count as unknown', () => {
  const ahead = { ...known, knownTo: now + 90 * HOUR, readAt: now + 90 * HOUR, rescannedAt: now + 90 * HOUR };
  expect(planClosedRead(ahead, calm)).toMatchObject({ since: now - 72 * HOUR, until: now, isRescan: true });
});

test('a missing or smaller position has shrunk; a new, grown or equal one has not', () => {
  const btc = { symbol: 'BTCUSDT', side: 'long', contracts: '1.5' } as const;
  expect(hasShrunk([btc], [])).toBe(true);
  expect(hasShrunk([btc], [{ ...btc, contracts: '1.4' }])).toBe(true);
  expect(hasShrunk([btc], [{ ...btc, side: 'short' }])).toBe(true);
  expect(hasShrunk([btc], [btc])).toBe(false);
  expect(hasShrunk([btc], [{ ...btc, contracts: '2' }])).toBe(false);
  expect(hasShrunk([], [btc])).toBe(false);
  expect(hasShrunk([btc, btc], [{ ...btc, contracts: '3' }])).toBe(false);
  const parts = [
    { ...btc, contracts: '0.1' },
    { ...btc, contracts: '0.2' },
  ];
  expect(hasShrunk(parts, [{ ...btc, contracts: '0.3' }])).toBe(false);
  expect(
    hasShrunk([{ ...btc, contracts: '9007199254740993' }], [{ ...btc, contracts: '9007199254740992' }]),
  ).toBe(true);
});

test('failed reads are retried sooner, at growing intervals, and never later than ordinary ones', () => {
  const facts = { everyMs: 480_000, failures: 0, isRetryable: true, retryAfterMs: null, spread: 1 };
  expect(nextReadInMs(facts)).toBe(480_000);
  expect(nextReadInMs({ ...facts, failures: 1 })).toBe(30_000);
  expect(nextReadInMs({ ...facts, failures: 3 })).toBe(120_000);
  expect(nextReadInMs({ ...facts, failures: 1, retryAfterMs: 90_000 })).toBe(90_000);
  expect(nextReadInMs({ ...facts, failures: 40 })).toBe(480_000);
  expect(nextReadInMs({ ...facts, failures: 1, isRetryable: false })).toBe(480_000);
});

test('a last read counts when it began an hour after the removal, however many turns it takes', () => {
  const removedAt = now;
  const range = { since: now - HOUR, until: now, cursor: 'next', isRescan: true };
  const isFinal = (readAt: number | null, startedAt: number, unfinished: typeof range | null = null) =>
    isLastReadFinal({ readAt, unfinished }, { removedAt, startedAt });
  expect(isFinal(null, now)).toBe(false);
  expect(isFinal(now, now + HOUR - 1)).toBe(false);
  expect(isFinal(now, now + HOUR)).toBe(true);
  // It may have begun at the removal.
  expect(isFinal(now - HOUR, now + 2 * HOUR, range)).toBe(false);
  expect(isFinal(null, now + 2 * HOUR, range)).toBe(false);
  expect(isFinal(now + HOUR, now + 2 * HOUR, range)).toBe(true);
});

test('closes of the last hour before a read are not certain', () => {
  expect(surelyKnownTo({ connectedAt: now - 9 * HOUR, knownTo: now })).toBe(now - HOUR);
  expect(surelyKnownTo({ connectedAt: now - HOUR / 2, knownTo: now })).toBe(now - HOUR / 2);
  expect(surelyKnownTo({ connectedAt: now, knownTo: null })).toBe(now);
});
