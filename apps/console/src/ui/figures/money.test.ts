import { expect, test } from 'vitest';
import { mostDecimals } from './money.tsx';

test('amounts leave room for the decimals that one of them shows, and no more', () => {
  expect(mostDecimals([])).toBe(2);
  expect(mostDecimals(['12', '7.5'])).toBe(2);
  expect(mostDecimals(['12', '1234.5678'])).toBe(4);
  expect(mostDecimals(['0.123456789'])).toBe(6);
});
