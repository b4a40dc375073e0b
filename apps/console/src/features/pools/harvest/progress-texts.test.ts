import { expect, test } from 'vitest';
import { leftWords, spentWords } from './progress-texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, 'under 1 min'],
  [MINUTE - 1, 'under 1 min'],
  [MINUTE, '1 min'],
  [HOUR - 1, '59 min'],
  [HOUR, '1 h'],
  [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
  [24 * HOUR + 59 * MINUTE, '1 d'],
  [52 * HOUR + 35 * MINUTE, '2 d 4 h'],
])('%i ms are %s', (ms, words) => {
  expect(spentWords(ms)).toBe(words);
});

test('a deadline is counted down, and up once it has passed', () => {
  expect(leftWords(19 * HOUR)).toBe('19 h left');
  expect(leftWords(0)).toBe('under 1 min left');
  expect(leftWords(-65 * MINUTE)).toBe('Deadline passed 1 h 5 min ago');
});
