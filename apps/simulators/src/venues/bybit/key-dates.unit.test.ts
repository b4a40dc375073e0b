import { expect, test } from 'vitest';
import { KEY_DAYS, keyDaysLeft, keyEnd } from './key-dates.ts';

test('one key in twelve ends within two weeks, each on a day of its own', () => {
  const left = Array.from({ length: 1_200 }, (_, n) => keyDaysLeft(String(40_000_000 + n)));
  const soon = left.filter((days) => days !== KEY_DAYS);
  expect(soon).toHaveLength(100);
  expect(new Set(soon).size).toBe(12);
  expect(Math.min(...soon)).toBe(2);
  expect(Math.max(...soon)).toBe(13);
});

test('the end of a key is the same all day', () => {
  const noon = Date.parse('2026-11-30T12:00:00Z');
  expect(keyEnd(noon, 9)).toBe('2026-12-09T00:00:00Z');
  expect(keyEnd(noon + 3_600_000, 9)).toBe(keyEnd(noon, 9));
  expect(keyEnd(noon)).toBe('2027-02-28T00:00:00Z');
});
