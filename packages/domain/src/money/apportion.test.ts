import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apportion } from './apportion.ts';
import { leastOf, mostOf } from './order-units.ts';

test.each([
  ['evenly', 9n, [1n, 1n, 1n], [3n, 3n, 3n]],
  ['the rest to the earlier of two equal remainders, whatever the parts', 10n, [5n, 6n, 9n], [3n, 3n, 4n]],
  ['of two equal remainders to the earlier', 3n, [1n, 1n], [2n, 1n]],
  ['two of three equal remainders', 5n, [1n, 1n, 1n], [2n, 2n, 1n]],
  ['a later, larger remainder before an earlier one', 7n, [1n, 3n], [2n, 5n]],
  ['the last, whose remainder is the largest', 4n, [1n, 1n, 1n, 7n], [1n, 0n, 0n, 3n]],
  ['nothing', 0n, [2n, 1n], [0n, 0n]],
  ['no weight, no part', 5n, [0n, 1n], [0n, 5n]],
])('divides %s', (_, units, weights, parts) => {
  expect(apportion(units, weights)).toEqual(parts);
});

test('parts are whole, sum to the amount, and are less than a unit from what is exact', () => {
  const weight = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fc.array(weight, { minLength: 1, maxLength: 8 }),
      (units, weights) => {
        const total = weights.reduce((sum, each) => sum + each, 0n);
        fc.pre(total > 0n);
        const parts = apportion(units, weights);
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(units);
        for (const [index, part] of parts.entries()) {
          const difference = part * total - units * (weights[index] ?? 0n);
          expect(difference > -total && difference < total).toBe(true);
        }
      },
    ),
  );
});

test('the smaller and the larger of two amounts', () => {
  expect([leastOf(1n, 2n), leastOf(2n, 1n), mostOf(1n, 2n), mostOf(2n, 1n)]).toEqual([1n, 1n, 2n, 2n]);
});
