import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOfRun } from './payout-runs.ts';

const bounds = { hasWallet: true, minimumUnits: 10n, maximumUnits: 100n };
const linesOf = (...units: bigint[]) => units.map((each) => ({ units: each }));

test.each([
  { name: 'no wallet', lines: linesOf(50n), how: { hasWallet: false }, reason: 'wallet_not_ready' },
  { name: 'nothing', lines: [], how: {}, reason: 'nothing_payable' },
  { name: 'one above the largest payout', lines: linesOf(101n, 50n), how: {}, reason: 'above_maximum' },
  { name: 'all below the smallest', lines: linesOf(9n, 9n), how: {}, reason: 'all_below_minimum' },
])('leaves a community out: $name', ({ lines, how, reason }) => {
  const units = lines.reduce((sum, line) => sum + line.units, 0n);
  expect(shareOfRun(lines, { ...bounds, ...how })).toEqual({ reason, units });
});

test('both bounds are paid, and what is less is carried', () => {
  expect(shareOfRun(linesOf(100n, 10n, 9n), bounds)).toEqual({
    reason: null,
    paid: linesOf(100n, 10n),
    carried: linesOf(9n),
  });
});

test('no line is lost, paid twice, or paid outside the bounds', () => {
  const units = fc.bigInt({ min: 1n, max: 150n });
  fc.assert(
    fc.property(fc.array(units), units, fc.option(units), (amounts, minimumUnits, maximumUnits) => {
      const lines = linesOf(...amounts);
      const share = shareOfRun(lines, { hasWallet: true, minimumUnits, maximumUnits });
      if (share.reason !== null) return share.units === amounts.reduce((sum, each) => sum + each, 0n);
      const all = [...share.paid, ...share.carried];
      return (
        all.length === lines.length &&
        lines.every((line) => all.includes(line)) &&
        share.paid.every((line) => line.units >= minimumUnits && line.units <= (maximumUnits ?? line.units))
      );
    }),
  );
});
