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
  expect(deductFrom([invoice], [{ id: 'd', leftUnits: 30n, split: split(24n, 6n) }])).toEqual([
    { amountUnits: 70n, split: split(46n, 24n), used: [{ id: 'd', units: 30n }] },
  ]);
  expect(deductFrom([invoice], [])).toEqual([{ ...invoice, used: [] }]);
});

test('the others bear what a part cannot, and a recipient of before that has none', () => {
  const before = [{ recipientType: 'community_referrer' as const, amountUnits: 10n }];
  expect(
    deductFrom([{ amountUnits: 100n, split: split(70n, 30n) }], [{ id: 'd', leftUnits: 10n, split: before }]),
  ).toMatchObject([{ amountUnits: 90n, split: split(63n, 27n) }]);
});

test('an invoice of which nothing would be left waits', () => {
  const deductions = [{ id: 'd', leftUnits: 100n, split: split(50n, 50n) }];
  expect(deductFrom([{ amountUnits: 100n, split: split(70n, 30n) }], deductions)).toEqual([null]);
  expect(deductFrom([{ amountUnits: 101n, split: split(71n, 30n) }], deductions)).toMatchObject([
    { amountUnits: 1n },
  ]);
  // So does what it would have borne: the other one is not asked for more.
  const one = { amountUnits: 1n, split: split(1n, 0n) };
  expect(deductFrom([one, one], [{ id: 'd', leftUnits: 1n, split: split(1n, 0n) }])).toMatchObject([
    null,
    { amountUnits: 1n, used: [] },
  ]);
});

test('invoices that are smaller than the deduction together all wait', () => {
  const invoice = { amountUnits: 60n, split: split(30n, 30n) };
  const deductions = [{ id: 'd', leftUnits: 121n, split: split(100n, 21n) }];
  expect(deductFrom([invoice, invoice], deductions)).toEqual([null, null]);
});

test('invoices that are each smaller than a deduction bear it together', () => {
  const invoices = [
    { amountUnits: 60n, split: split(30n, 30n) },
    { amountUnits: 20n, split: split(10n, 10n) },
  ];
  const deductions = [
    { id: 'a', leftUnits: 50n, split: split(25n, 25n) },
    { id: 'b', leftUnits: 20n, split: split(10n, 10n) },
  ];
  expect(deductFrom(invoices, deductions)).toMatchObject([
    {
      amountUnits: 7n,
      used: [
        { id: 'a', units: 50n },
        { id: 'b', units: 3n },
      ],
    },
    { amountUnits: 3n, used: [{ id: 'b', units: 17n }] },
  ]);
});

test('parts are never negative and sum to the amount, to the unit', () => {
  const part = fc.bigInt(1n, 10n ** 24n);
  const deduction = fc.record({ mark: part, community: part, left: part });
  const invoice = fc.record({ mark: part, community: part });
  fc.assert(
    fc.property(
      fc.array(invoice, { minLength: 1, maxLength: 3 }),
      fc.array(deduction, { maxLength: 4 }),
      (invoices, given) => {
        const deductions = given.map(({ mark, community, left }, n) => ({
          id: String(n),
          leftUnits: leastOf(left, mark + community),
          split: split(mark, community),
        }));
        const made = deductFrom(
          invoices.map(({ mark, community }) => ({
            amountUnits: mark + community,
            split: split(mark, community),
          })),
          deductions,
        );
        const usedOf = new Map<string, bigint>();
        for (const [n, one] of made.entries()) {
          if (!one) continue;
          const { mark = 0n, community = 0n } = invoices[n] ?? {};
          assert.equal(sum(one.split.map(({ amountUnits }) => amountUnits)), one.amountUnits);
          assert.equal(one.amountUnits + sum(one.used.map(({ units }) => units)), mark + community);
          assert.ok(one.amountUnits > 0n && one.split.every(({ amountUnits: units }) => units > 0n));
          for (const { id, units } of one.used) usedOf.set(id, (usedOf.get(id) ?? 0n) + units);
        }
        for (const { id, leftUnits } of deductions) assert.ok((usedOf.get(id) ?? 0n) <= leftUnits);
        const total = sum(invoices.map(({ mark, community }) => mark + community));
        const open = sum(deductions.map(({ leftUnits }) => leftUnits));
        // They wait only as long as nothing would be left of them together.
        if (made.every((one) => one === null)) assert.ok(total <= open + BigInt(invoices.length));
      },
    ),
    { seed: printedSeed('PROPERTY_SEED') },
  );
});

const sum = (units: readonly bigint[]) => units.reduce((total, each) => total + each, 0n);
