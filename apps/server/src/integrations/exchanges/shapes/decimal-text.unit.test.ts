import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Amount, isZero, magnitude, multiply, toDecimalText, toDerivedText } from './decimal-text.ts';

test.each([
  ['12.50', '12.50'],
  ['-0.00000001', '-0.00000001'],
  ['1e-8', '0.00000001'],
  ['-2.5E+3', '-2500'],
  ['+7', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007', '7'],
  [0.000001, '0.000001'],
  [1e21, '1000000000000000000000'],
  [-0, '0'],
])('%j is %s', (value, text) => {
  expect(toDecimalText(value)).toBe(text);
});

test.each([
  '',
  ' ',
  5e-324,
  '1e-300',
  '1e999',
  '9'.repeat(65),
  'NaN',
  'Infinity',
  '1,000',
  '0x10',
  '1e9999',
  '--1',
  '1.2.3',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  true,
  [],
  {},
])('%j is no number', (value) => {
  expect(toDecimalText(value)).toBeNull();
});

const plain = /^-?\d+(\.\d+)?$/;

test('every number that an amount may be has a plain text that is the same number', () => {
  const magnitudes = fc.double({ noNaN: true, min: 1e-20, max: 1e40 });
  const amounts = fc.oneof(
    magnitudes,
    magnitudes.map((value) => -value),
    fc.constant(0),
  );
  fc.assert(
    fc.property(amounts, (value) => {
      const text = toDecimalText(value);
      expect(text).toMatch(plain);
      expect(Number(text)).toBe(value === 0 ? 0 : value);
      // The same number with an exponent in text.
      expect(new Amount(toDecimalText(value.toExponential()) ?? 'none').eq(text ?? 'none')).toBe(true);
    }),
  );
});

test('plain text stays as it is, digit by digit', () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,30})(\.\d{1,30})?$/);
  fc.assert(fc.property(digits, (text) => toDecimalText(text) === text));
});

test('sums and products keep their digits and have no exponent', () => {
  expect(multiply('0.00000001', '0.00000001', '3')).toBe('0.0000000000000003');
  expect(multiply('123456789012345678', '1000000000000')).toBe('123456789012345678000000000000');
  expect(magnitude('-3.250')).toBe('3.25');
  expect(isZero('-0.000')).toBe(true);
});

test('derived prices are rounded to 12 digits', () => {
  expect(toDerivedText(new Amount(1).div(3))).toBe('0.333333333333');
  expect(toDerivedText(new Amount(200_000).div(3))).toBe('66666.6666667');
  expect(toDerivedText(new Amount('1e-9').div(3))).toBe('0.000000000333333333333');
  for (const nothing of [new Amount(1).div(0), new Amount(0).div(0)])
    expect(() => toDerivedText(nothing)).toThrow('bad_response');
});
