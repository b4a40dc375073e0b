import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumDecimals } from '../money/decimals.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';
import { estimateLiquidationPrice, percentChange, sumKnownPnl } from './position-figures.ts';

const decimals = (min: number, max: number, places = 6) =>
  fc
    .integer({ min: min * 10 ** places, max: max * 10 ** places })
    .map((n) => (n / 10 ** places).toFixed(places));
const price = decimals(1, 2_000);
const leverage = fc.integer({ min: 1, max: 125 }).map(String);

test.each([
  ['long', '100', '10', '92'],
  ['short', '100', '10', '108'],
  ['long', '60000', '3', '44000'],
  ['long', '100', '1', '20'],
  ['long', '100', '7', '88.571428571429'],
  ['long', '100', '0.5', null],
  ['long', '100', '0', null],
  ['long', '100', null, null],
  ['short', null, '10', null],
] as const)('a %s position from %s at %sx is liquidated at %s', (side, entryPrice, leverage, expected) => {
  expect(estimateLiquidationPrice({ side, entryPrice, leverage })).toBe(expected);
});

test('a short position is liquidated as far above its entry as a long one is below', () => {
  fc.assert(
    fc.property(price, leverage, (entryPrice, leverage) => {
      const [long, short] = (['long', 'short'] as const).map(
        (side) => new ExactDecimal(estimateLiquidationPrice({ side, entryPrice, leverage }) ?? 'NaN'),
      );
      if (!long || !short) throw new Error('no estimate');
      expect(long.plus(short).minus(new ExactDecimal(entryPrice).times(2)).abs().toNumber()).toBeLessThan(
        1e-11,
      );
      expect(long.lt(entryPrice)).toBe(true);
    }),
  );
});

test.each([
  ['long', '100', '112.5', '12.5'],
  ['short', '100', '112.5', '-12.5'],
  ['long', '3', '4', '33.333333333333'],
  ['long', '0', '4', null],
  ['long', null, '4', null],
  ['short', '3', null, null],
] as const)('a %s position from %s to %s has changed by %s per cent', (side, entry, exit, expected) => {
  expect(percentChange(side, entry, exit)).toBe(expected);
});

test('the gain of a long position is the loss of a short one', () => {
  fc.assert(
    fc.property(price, price, (entry, exit) => {
      const long = new ExactDecimal(percentChange('long', entry, exit) ?? 'NaN');
      expect(long.negated().equals(percentChange('short', entry, exit) ?? 'NaN')).toBe(true);
      expect(long.gte(-100)).toBe(true);
    }),
  );
});

test('net profit is the exact sum of known profits, in any order', () => {
  const pnl = fc.option(decimals(-1_000, 1_000), { nil: null });
  fc.assert(
    fc.property(fc.array(pnl), (pnls) => {
      const known = pnls.filter((one) => one !== null);
      expect(sumKnownPnl(pnls)).toBe(known.length > 0 ? sumDecimals(known) : null);
      expect(sumKnownPnl(pnls.toReversed())).toBe(sumKnownPnl(pnls));
    }),
  );
  expect(sumKnownPnl(['0.1', null, '0.2'])).toBe('0.3');
  expect(sumKnownPnl([null])).toBeNull();
});
