import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formatCount, formatDate, formatUsd, formatWholeUsd, shortHash, shortId } from './format.ts';

beforeAll(() => void vi.stubEnv('TZ', 'America/Los_Angeles'));
afterAll(() => void vi.unstubAllEnvs());

test.each([
  [0, '$0'],
  ['1234.49', '$1,234'],
  [1234.5, '$1,235'],
  ['-20.00', '-$20'],
  ['-0.3', '$0'],
  ['-0.5', '-$1'],
  ['12345678.9', '$12,345,679'],
])('AUM of %s is written %s', (amount, text) => {
  expect(formatWholeUsd(amount)).toBe(text);
});

test.each([
  [0, '$0.00'],
  ['1234.5', '$1,234.50'],
  ['-0.05', '-$0.05'],
  ['-0.000000001', '$0.00'],
  [-0, '$0.00'],
  ['0.005000000000000000', '$0.01'],
])('money of %s is written %s', (amount, text) => {
  expect(formatUsd(amount)).toBe(text);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1_000_000, '1,000,000'],
])('a count of %i is written %s', (n, text) => {
  expect(formatCount(n)).toBe(text);
});

test.each([
  ['2026-01-05T00:00:00.000Z', 'Jan 5, 2026'],
  ['2026-12-31T23:59:59.999Z', 'Dec 31, 2026'],
  ['2026-12-31T23:00:00-05:00', 'Jan 1, 2027'],
])('%s is written %s, in UTC wherever the reader is', (iso, text) => {
  expect(formatDate(iso)).toBe(text);
});

test('a missing value is N/A, and zero is not missing', () => {
  for (const format of [formatWholeUsd, formatUsd, formatDate]) {
    expect(format(null)).toBe('N/A');
    expect(format(undefined)).toBe('N/A');
  }
  expect(formatDate('')).toBe('N/A');
  expect(formatUsd('0')).toBe('$0.00');
});

test.each([
  ['', ''],
  ['123456789', '123456789'],
  ['1234567890', '123456…7890'],
  ['0x52908400098527886E0F7030069857D2E4169EE7', '0x5290…9EE7'],
])('the id %s is written %s', (id, text) => {
  expect(shortId(id)).toBe(text);
});

test('a transaction hash is written by its first 8 characters', () => {
  expect(shortHash(`0xabcdef${'0'.repeat(58)}`)).toBe('0xabcdef');
});
