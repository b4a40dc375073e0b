import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

const LIMIT = { weight: 100, windowMs: 10_000, burst: 0.25 };

function setUp(limit = LIMIT, share = 0.6) {
  let nowMs = 5_000_000;
  const bucket = createTokenBucket(limit, share, () => nowMs);
  return {
    bucket,
    wait: (ms: number) => {
      nowMs += ms;
    },
    now: () => nowMs,
  };
}

test('the burst is spent at once, the rest flows in evenly', () => {
  const { bucket, wait } = setUp();
  expect(bucket.waitFor(15)).toBe(0);
  bucket.spend(15);
  // 60 in 10 s, 15 of them as burst: 4.5 a second.
  expect(bucket.waitFor(9)).toBe(2_000);
  wait(2_000);
  expect(bucket.waitFor(9)).toBe(0);
});

test('a request heavier than the bucket goes when it is full, and those behind it pay for it', () => {
  const { bucket, wait } = setUp();
  expect(bucket.waitFor(33)).toBe(0);
  bucket.spend(33);
  expect(bucket.waitFor(1)).toBe(Math.ceil(19 / 0.0045));
  wait(100_000);
  expect(bucket.waitFor(33)).toBe(0);
});

test('nothing is spent during a pause', () => {
  const { bucket, wait } = setUp();
  bucket.pause(3_000);
  bucket.pause(1_000);
  expect(bucket.waitFor(1)).toBe(3_000);
  wait(3_000);
  expect(bucket.waitFor(1)).toBe(0);
});

test('a clock that was set back adds nothing and does not block permanently', () => {
  const { bucket, wait } = setUp();
  bucket.spend(15);
  wait(-3_600_000);
  expect(bucket.waitFor(9)).toBe(2_000);
  wait(2_000);
  expect(bucket.waitFor(9)).toBe(0);
});

test('no window of any place ever sees more than our share of the limit', () => {
  const step = fc.record({
    weight: fc.integer({ min: 1, max: 15 }),
    pauseMs: fc.integer({ min: 0, max: 4_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { bucket, wait, now } = setUp();
      const spent: { at: number; weight: number }[] = [];
      for (const { weight, pauseMs } of steps) {
        wait(pauseMs);
        wait(bucket.waitFor(weight));
        bucket.spend(weight);
        spent.push({ at: now(), weight });
      }
      for (const { at } of spent) {
        const inWindow = spent.filter((one) => one.at >= at && one.at < at + LIMIT.windowMs);
        expect(inWindow.reduce((sum, one) => sum + one.weight, 0)).toBeLessThanOrEqual(60 + 1e-6);
      }
    }),
    { numRuns: 200 },
  );
});
