import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedUnits, decimalToUnits, UNITS_PER_MILLIONTH, unitsToDecimal } from './token-units.ts';

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [10n ** 18n, '1'],
  [1_500_000_000_000_000_000n, '1.5'],
  [123_456_789_012_345n * 10n ** 18n + 1n, '123456789012345.000000000000000001'],
  [-(10n ** 17n), '-0.1'],
])('%s units are %s', (units, decimal) => {
  expect(unitsToDecimal(units)).toBe(decimal);
  expect(decimalToUnits(decimal)).toBe(units);
});

test('a round trip keeps any amount', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 38n), 10n ** 38n), (units) => {
      expect(decimalToUnits(unitsToDecimal(units))).toBe(units);
    }),
  );
});

test('trailing zeros change nothing, and fractions of a unit are refused', () => {
  expect(decimalToUnits('1.50000000000000000000000')).toBe(1_500_000_000_000_000_000n);
  expect(decimalToUnits('0.0000000000000000001')).toBeNull();
});

test('what is asked pays in full, in whole millionths, and less than one of them too much', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 30n), (units) => {
      const asked = askedUnits(units);
      expect(asked % UNITS_PER_MILLIONTH).toBe(0n);
      expect(asked >= units && asked - units < UNITS_PER_MILLIONTH).toBe(true);
    }),
  );
});
