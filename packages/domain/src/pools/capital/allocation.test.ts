import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocateResult } from './allocation.ts';
import { cutCarry, decideFee, readCommissionRate } from './pool-fee.ts';

const shares = (...units: bigint[]) => units.map((u, index) => ({ memberId: `m${index}`, units: u }));
const unitsOf = ({ parts }: ReturnType<typeof allocateResult>) => parts.map(({ units }) => units);

describe('the allocation of a result', () => {
  test('follows the shares; remaining units go to the largest remainders, ties by member id', () => {
    expect(unitsOf(allocateResult(10n, shares(1n, 1n, 1n), 0n))).toEqual([4n, 3n, 3n]);
    expect(unitsOf(allocateResult(-10n, shares(10n, 10n, 10n), 0n))).toEqual([-4n, -3n, -3n]);
    expect(unitsOf(allocateResult(10n, shares(1n, 6n), 0n))).toEqual([1n, 9n]);
  });

  test('does not depend on the order of the members', () => {
    const members = shares(7n, 7n, 7n, 5n);
    expect(allocateResult(20n, [...members].reverse(), 0n)).toEqual(allocateResult(20n, members, 0n));
  });

  test('a loss stops at the capital, and the rest is not covered', () => {
    const lost = allocateResult(-50n, shares(10n, 20n), 100n);
    expect(unitsOf(lost)).toEqual([-10n, -20n]);
    expect(lost).toMatchObject({ unexplainedUnits: 0n, uncoveredUnits: 20n });
  });

  test.each([
    ['a profit is unexplained', 30n, 5n, 30n, 0n],
    ['a loss takes what is unexplained', -30n, 40n, -30n, 0n],
    ['and the rest is not covered', -30n, 10n, -10n, 20n],
    ['nothing moves nothing', 0n, 10n, 0n, 0n],
  ])('without capital, %s', (_what, result, unexplained, unexplainedUnits, uncoveredUnits) => {
    const allocation = allocateResult(result, shares(0n), unexplained);
    expect(allocation).toMatchObject({ unexplainedUnits, uncoveredUnits });
    expect(unitsOf(allocation)).toEqual([0n]);
  });

  test('sums to the result, each part within one unit of exact, equal shares within one unit', () => {
    const units = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: 10n ** 27n }));
    const result = fc.oneof(
      fc.bigInt({ min: -9n, max: 9n }),
      fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }),
    );
    fc.assert(
      fc.property(fc.array(units, { maxLength: 40 }), result, units, (list, of, unexplained) => {
        const { parts, unexplainedUnits, uncoveredUnits } = allocateResult(of, shares(...list), unexplained);
        const sum = parts.reduce((total, part) => total + part.units, 0n);
        expect(sum + unexplainedUnits - uncoveredUnits).toBe(of);
        const capital = list.reduce((total, share) => total + share, 0n);
        const share = new Map(shares(...list).map((one) => [one.memberId, one.units]));
        for (const { memberId, units: part } of parts) {
          const own = share.get(memberId) ?? 0n;
          expect(own + part).toBeGreaterThanOrEqual(0n);
          const off = part * capital - sum * own;
          expect((off < 0n ? -off : off) < capital || capital === 0n).toBe(true);
          for (const other of parts)
            if (share.get(other.memberId) === own) {
              const gap = other.units - part;
              expect(gap >= -1n && gap <= 1n).toBe(true);
            }
        }
      }),
    );
  });

  test('10,000 members with their fees take well under a second of processor time', () => {
    const members = Array.from({ length: 10_000 }, (_, index) => ({
      memberId: `m${(index * 7919) % 10_000}`,
      units: BigInt(index + 1) * 10n ** 18n + 7n,
    }));
    const rate = readCommissionRate('0.5');
    const before = process.cpuUsage();
    const { parts } = allocateResult(123_456_789n * 10n ** 18n + 1n, members, 0n);
    for (const { units } of parts) {
      const facts = { allocatedUnits: units, winnersUnits: 0n, carryUnits: 5n, capitalUnits: units };
      cutCarry(decideFee(facts, 'net_carry', rate).carryUnits, 3n, 7n);
    }
    const { user, system } = process.cpuUsage(before);
    expect(parts).toHaveLength(10_000);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
