import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printedSeed } from '../../../../tests/support/printed-seed.ts';
import { leastOf } from '../money/order-units.ts';
import { deductFrom } from './deductions.ts';

const split = (mark: bigint, community: bigint) => [
  { recipientType: 'mark' as const, amountUnits: mark },
  { recipientType: 'community' as const, amountUnits: community },
];

test('each recipient gives back what it got too much', () => {
  const invoice = { amountUnits: 100n, split: split(70n, 30n) };
  expect(deductFrom(invoice, [{ id: 'd', leftUnits: 30n, split: split(24n, 6n) }])).toEqual({
    amountUnits: 70n,
    split: split(46n, 24n),
    used: [{ id: 'd', units: 30n }],
  });
  expect(deductFrom(invoice, [])).toEqual({ ...invoice, used: [] });
});

test('the others bear what a part cannot, and a recipient of before that has none', () => {
  const before = [{ recipientType: 'community_referrer' as const, amountUnits: 10n }];
  expect(
    deductFrom({ amountUnits: 100n, split: split(70n, 30n) }, [{ id: 'd', leftUnits: 10n, split: before }]),
  ).toMatchObject({ amountUnits: 90n, split: split(63n, 27n) });
});

test('an invoice of which nothing would be left waits', () => {
  const deductions = [{ id: 'd', leftUnits: 100n, split: split(50n, 50n) }];
  expect(deductFrom({ amountUnits: 100n, split: split(70n, 30n) }, deductions)).toBeNull();
  expect(deductFrom({ amountUnits: 101n, split: split(71n, 30n) }, deductions)).toMatchObject({
    amountUnits: 1n,
  });
});

test('parts are never negative and sum to the amount, to the unit', () => {
  const part = fc.bigInt(1n, 10n ** 24n);
  const deduction = fc.record({ mark: part, community: part, left: part });
  fc.assert(
    fc.property(part, part, fc.array(deduction, { maxLength: 4 }), (mark, community, given) => {
      const amountUnits = mark + community;
      const made = deductFrom(
        { amountUnits, split: split(mark, community) },
        given.map(({ mark: m, community: c, left }, n) => ({
          id: String(n),
          leftUnits: leastOf(left, m + c),
          split: split(m, c),
        })),
      );
      if (!made) return;
      assert.equal(
        made.split.reduce((sum, { amountUnits: units }) => sum + units, 0n),
        made.amountUnits,
      );
      assert.equal(made.amountUnits + made.used.reduce((sum, { units }) => sum + units, 0n), amountUnits);
      assert.ok(made.amountUnits > 0n && made.split.every(({ amountUnits: units }) => units > 0n));
    }),
    { seed: printedSeed('PROPERTY_SEED') },
  );
});
