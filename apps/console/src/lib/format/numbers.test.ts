import { NUMBER_FORMATS, type NumberFormat, PERSON_DEFAULTS } from '@copydesk/domain/person';
import { afterEach, describe, expect, test } from 'vitest';
import { personSettings } from '../person-settings.ts';
import {
  flooredTo2,
  flooredUsd,
  formatPnl,
  formatSignedPercent,
  splitDecimals,
  splitWords,
} from './figures.ts';
import { formatCount, formatUsd, formatWholeUsd, numberFormat } from './numbers.ts';
import { exactUsdt, formatPartOfUsdt, formatUsdt } from './usdt.ts';

const choose = (numbers: NumberFormat) => personSettings.set({ ...PERSON_DEFAULTS, numbers });
afterEach(() => personSettings.set(PERSON_DEFAULTS));

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

describe('with the signs that a person chose', () => {
  test.each([
    ['comma_point', '$1,234,567.89'],
    ['point_comma', '$1.234.567,89'],
    ['space_comma', '$1\u202f234\u202f567,89'],
    ['apostrophe_point', "$1'234'567.89"],
  ] as const)('%s: an amount is %s', (numbers, text) => {
    choose(numbers);
    expect(formatUsd('1234567.89')).toBe(text);
  });

  test('a format that was made before follows a later choice', () => {
    const format = numberFormat({ maximumFractionDigits: 1 });
    expect(format(1234.5)).toBe('1,234.5');
    choose('point_comma');
    expect(format(1234.5)).toBe('1.234,5');
  });

  test('every figure follows, and what is no figure stays', () => {
    choose('point_comma');
    expect(formatCount(12_345)).toBe('12.345');
    expect(formatWholeUsd('1234.5')).toBe('$1.235');
    expect(formatUsd(null)).toBe('N/A');
    expect(formatPnl('-1234.5')).toBe('-$1.234,50');
    expect(formatSignedPercent('12.5')).toBe('+12,50%');
    expect(exactUsdt('1234.5')).toBe('1.234,50 USDT');
    expect(splitWords('12.5')).toBe('Community 12,5%, platform 87,5%');
  });

  test.each(NUMBER_FORMATS)('%s: an amount that rounds to zero is not called zero', (numbers) => {
    choose(numbers);
    const sign = numbers === 'comma_point' || numbers === 'apostrophe_point' ? '.' : ',';
    expect(formatUsdt('0')).toBe(`0${sign}00`);
    expect(formatUsdt('0.0000001')).toBe(`<0${sign}000001`);
    expect(exactUsdt('-0.0000001')).toBe(`>-0${sign}000001 USDT`);
    expect(formatPartOfUsdt('0.4')).toBe('<1');
  });

  test.each(NUMBER_FORMATS)('%s: amounts are aligned at their decimal sign', (numbers) => {
    choose(numbers);
    const [whole, sign, decimals] = splitDecimals(formatUsdt('1234567.5'));
    expect(whole + sign + decimals).toBe(formatUsdt('1234567.5'));
    expect(decimals).toBe('50');
    expect(splitDecimals(formatCount(1_234_567)).slice(1)).toEqual(['', '']);
  });
});
