import { expect, test } from 'vitest';
import { askedUsdt, exactUsdt, formatPartOfUsdt, formatUsdt, formatWholeUsdt } from './usdt.ts';

test('an amount has up to 6 decimals, of digits that a float does not have', () => {
  expect(formatUsdt('12')).toBe('12.00');
  expect(formatUsdt('1234.5678904')).toBe('1,234.56789');
  expect(formatUsdt('9007199254740993.123456')).toBe('9,007,199,254,740,993.123456');
  expect(['0', '0.000000', '0.0000001'].map(formatUsdt)).toEqual(['0.00', '0.00', '<0.000001']);
  expect(formatWholeUsdt('1234.56')).toBe('1,235');
  expect(['0', '0.4', '0.6', '1234.4'].map(formatPartOfUsdt)).toEqual(['0', '<1', '1', '1,234']);
});

test('exactly, an amount has every digit that it has', () => {
  expect(exactUsdt('10199.726666666666666666')).toBe('10,199.726666 USDT');
  expect(exactUsdt('0.000000000000000004')).toBe('<0.000001 USDT');
  expect(askedUsdt('319.203333333333333334')).toBe('319.203334 USDT');
  expect(exactUsdt('1284')).toBe('1,284.00 USDT');
});
