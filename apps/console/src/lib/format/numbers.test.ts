import { expect, test } from 'vitest';
import { flooredTo2, flooredUsd } from './figures.ts';

test.each([
  ['0', '$0'],
  ['0.999999999999999999', '$0'],
  ['1234.5', '$1,234'],
  // A float would read 9007199254740994.
  ['9007199254740993.999999999999999999', '$9,007,199,254,740,993'],
])('a pool balance of %s is shown as %s', (amount, text) => {
  expect(flooredUsd(amount)).toBe(text);
});

test.each([
  ['0', '0'],
  ['1234', '1,234'],
  ['1234.5', '1,234.5'],
  ['1234.567', '1,234.56'],
  ['0.009', '0'],
  ['9007199254740993.999', '9,007,199,254,740,993.99'],
])('an internal balance of %s is shown as %s', (amount, text) => {
  expect(flooredTo2(amount)).toBe(text);
});
