import { expect, test } from 'vitest';
import { proposeLimits } from './proposed-limits.ts';

test.each([
  [10_000, { maxPerDay: 20_000, maxPerTransaction: 10_000, approvalAbove: 2_000, hardMax: 20_000 }],
  [4, { maxPerDay: 8, maxPerTransaction: 4, approvalAbove: 1, hardMax: 8 }],
])('limits follow from the payouts that are expected in a day: %i USDT', (perDay, expected) => {
  expect(proposeLimits(perDay)).toEqual(expected);
});

test('one payout fits into a day, and a second person sees less than one payout may be', () => {
  for (const perDay of [1, 7, 999, 1_000_000]) {
    const { maxPerDay, maxPerTransaction, approvalAbove, hardMax } = proposeLimits(perDay);
    expect(maxPerTransaction).toBeLessThanOrEqual(maxPerDay);
    expect(approvalAbove).toBeLessThanOrEqual(maxPerTransaction);
    expect(hardMax).toBeGreaterThanOrEqual(maxPerTransaction);
  }
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is no volume', (perDay) => {
  expect(() => proposeLimits(perDay)).toThrow(RangeError);
});
