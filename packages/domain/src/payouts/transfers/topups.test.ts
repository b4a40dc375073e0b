import { expect, test } from 'vitest';
import { sizeTopup } from './topups.ts';

const wanted = { needed: 100n, short: 10n, most: 80n };

test.each([
  [
    'what all transfers need, as far as the gas wallet gives it',
    { perTopup: 1_000n, perDay: 1_000n },
    0n,
    80n,
  ],
  ['at most one top-up', { perTopup: 30n, perDay: 1_000n }, 0n, 30n],
  ['at most what is left of the day', { perTopup: 30n, perDay: 100n }, 85n, 15n],
  ['just what the first transfer lacks', { perTopup: 30n, perDay: 100n }, 90n, 10n],
  ['nothing when the day is used up', { perTopup: 30n, perDay: 100n }, 91n, null],
  ['nothing when the bound was lowered below what was ordered', { perTopup: 30n, perDay: 50n }, 100n, null],
  ['nothing when one top-up is too small for the first transfer', { perTopup: 9n, perDay: 100n }, 0n, null],
] as const)('%s', (_, bounds, ordered, expected) => {
  expect(sizeTopup(wanted, bounds, ordered)).toBe(expected);
});

test('a nearly empty gas wallet still gives the first transfer what it lacks', () => {
  expect(sizeTopup({ ...wanted, most: 3n }, { perTopup: 30n, perDay: 100n }, 0n)).toBe(10n);
});
