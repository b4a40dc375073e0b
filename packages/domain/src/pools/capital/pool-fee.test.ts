import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutCarry, decideFee, readCommissionRate } from './pool-fee.ts';

const HALF = readCommissionRate('0.5');
const fee = (allocatedUnits: bigint, carryUnits: bigint) =>
  decideFee({ allocatedUnits, carryUnits, winnersUnits: 0n, capitalUnits: 1_000n }, 'net_carry', HALF);

describe('the fee on net profit', () => {
  test.each([
    ['a profit is charged, rounded down', 101n, 0n, 50n, 0n],
    ['a loss is carried', -30n, 5n, 0n, 35n],
    ['a profit makes up earlier losses first', 100n, 35n, 32n, 0n],
    ['a profit below the carry is free', 20n, 35n, 0n, 15n],
    ['nothing changes nothing', 0n, 35n, 0n, 35n],
  ])('%s', (_what, allocated, carry, feeUnits, carryUnits) => {
    expect(fee(allocated, carry)).toEqual({ feeUnits, carryUnits });
  });
});

test('the fee on winners ignores losses and carry, and stops at the capital', () => {
  const facts = { allocatedUnits: -40n, winnersUnits: 60n, carryUnits: 7n, capitalUnits: 100n };
  expect(decideFee(facts, 'gross_winners', HALF)).toEqual({ feeUnits: 30n, carryUnits: 7n });
  const poor = { ...facts, capitalUnits: 10n };
  expect(decideFee(poor, 'gross_winners', HALF)).toEqual({ feeUnits: 10n, carryUnits: 7n });
});

test.each(['-0.1', '1.1', '0.0000000000000000001'])('a commission rate of %s is refused', (rate) => {
  expect(() => readCommissionRate(rate)).toThrow(RangeError(`a commission rate from 0 to 1: ${rate}`));
});

test('a commission may be nothing, and all of the profit', () => {
  const facts = { allocatedUnits: 60n, winnersUnits: 0n, carryUnits: 0n, capitalUnits: 100n };
  const fees = ['0', '1'].map((rate) => decideFee(facts, 'net_carry', readCommissionRate(rate)).feeUnits);
  expect(fees).toEqual([0n, 60n]);
});

describe('the carry at the stop', () => {
  test.each([
    ['is cut by the part that left', 30n, 50n, 100n, 15n],
    ['ends when everything left', 30n, 100n, 100n, 0n],
    ['is not cut twice by money that came in meanwhile', 30n, 150n, 100n, 0n],
    ['stays without a withdrawal', 30n, 0n, 100n, 30n],
    ['stays without an opening', 30n, 10n, 0n, 30n],
  ])('%s', (_what, carry, withdrawn, opening, left) => {
    expect(cutCarry(carry, withdrawn, opening)).toBe(left);
  });
});

test('a fee never exceeds the profit, and a carry is never below zero', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n });
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      units,
      units,
      units,
      (allocatedUnits, carryUnits, withdrawn, opening) => {
        const after = fee(allocatedUnits, carryUnits);
        expect(after.feeUnits).toBeGreaterThanOrEqual(0n);
        if (allocatedUnits <= 0n) expect(after.feeUnits).toBe(0n);
        else expect(after.feeUnits + carryUnits - after.carryUnits).toBeLessThanOrEqual(allocatedUnits);
        expect(after.carryUnits).toBeGreaterThanOrEqual(0n);
        expect(cutCarry(carryUnits, withdrawn, opening)).toBeGreaterThanOrEqual(0n);
      },
    ),
  );
});
