import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as formats from './position-format.ts';

const { formatPnl, formatPrice, formatShortPnl, formatSignedPercent, formatSize, formatLeverage } = formats;
const { maskCredential, signOf } = formats;

test.each([
  [formatPrice, '64123.4', '64,123.4000'],
  [formatPrice, '0.00005', '0.0001'],
  [formatPrice, '0.00004', '0.0000'],
  [formatPnl, '1234.5', '+$1,234.50'],
  [formatPnl, '-0.05', '-$0.05'],
  [formatPnl, '-1000000', '-$1,000,000.00'],
  [formatPnl, '0', '+$0.00'],
  [formatPnl, '-0.004', '+$0.00'],
  [formatPnl, '0.005', '+$0.01'],
  [formatSignedPercent, '12.5', '+12.50%'],
  [formatSignedPercent, '-33.333', '-33.33%'],
  [formatLeverage, '10', '10x'],
  [formatLeverage, '12.500', '12.5x'],
  [formatSize, '1234567.10000000', '1,234,567.1'],
  [formatSize, '0.000012349', '0.00001235'],
  [formatShortPnl, '84.6', '+85'],
  [formatShortPnl, '-0.25', '-0.25'],
  [formatShortPnl, '9.999', '+10'],
  [formatShortPnl, '-1234', '-1.2K'],
  [formatShortPnl, '123456', '+123K'],
  [formatShortPnl, '999600', '+1.0M'],
] as const)('%o writes %s as %s', (format, amount, text) => {
  expect(format(amount)).toBe(text);
});

const all = [formatPrice, formatPnl, formatShortPnl, formatSignedPercent, formatSize, formatLeverage];

test('a missing or invalid number is N/A', () => {
  for (const format of all) {
    for (const amount of [null, undefined, '', 'NaN', 'Infinity', '1e5', 'x'])
      expect(format(amount)).toBe('N/A');
  }
});

test('no text ever shows NaN, Infinity, an exponent or minus zero, and digits are not lost', () => {
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.stringMatching(/^\d{0,18}$/))
    .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : String(whole)));
  fc.assert(
    fc.property(fc.oneof(amount, fc.string()), (text) => {
      for (const format of all) {
        expect(format(text)).toMatch(/^([+-]?\$?\d{1,3}(,\d{3})*(\.\d+)?[%xKM]?|N\/A)$/);
        expect(format(text)).not.toMatch(/^-\$?[0.]+%?$/);
      }
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (whole) => {
      expect(formatPnl(String(whole)).replaceAll(',', '')).toBe(`+$${whole}.00`);
    }),
  );
});

test('a sign is that of the rounded amount', () => {
  expect(['0.01', '-0.01', '-0.004', '0', null, 'x'].map(signOf)).toEqual([1, -1, 0, 0, 0, 0]);
});

test('credentials are dots, at most 32', () => {
  expect(maskCredential('abc')).toBe('•••');
  expect(maskCredential('x'.repeat(64))).toBe('•'.repeat(32));
  expect(maskCredential('')).toBe('');
});
