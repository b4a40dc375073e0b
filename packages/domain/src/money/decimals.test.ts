import { expect, test } from 'vitest';
import { shownPercentage, sumDecimals } from './decimals.ts';

test.each([
  [[], '0'],
  [['1.10'], '1.1'],
  [['0.1', '0.2'], '0.3'],
  [['5', '-7.25'], '-2.25'],
  [['0.000000000000000001', '0.000000000000000001'], '0.000000000000000002'],
  [['999999999999999999', '1'], '1000000000000000000'],
])('%j sum to %s', (amounts, total) => {
  expect(sumDecimals(amounts)).toBe(total);
});

test('a large and a small amount keep all their digits', () => {
  expect(sumDecimals(['123456789012345.123456789012345678', '0.000000000000000001'])).toBe(
    '123456789012345.123456789012345679',
  );
});

test.each([
  ['0.29', '29'],
  [0.07, '7'],
  ['0.3500', '35'],
  ['0.123', '12.3'],
  [1, '100'],
])('the fraction %s is %s per cent', (fraction, percentage) => {
  expect(shownPercentage(fraction)).toBe(percentage);
});
