import { expect, test } from 'vitest';
import { sessionEnd, sessionNotice } from './session-limits.ts';

const MINUTE = 60_000;
const at = new Date('2026-01-01T10:00:00Z');
const inMinutes = (minutes: number) => new Date(at.getTime() + minutes * MINUTE);

test.each([
  ['two hours after an input now', 600, 0, 120],
  ['two hours after the last input', 600, 45, 75],
  ['at its latest end', 60, 0, 60],
  ['no later for an input in the future', 600, -45, 120],
] as const)('a session ends %s', (_, endsIn, idle, expected) => {
  expect(sessionEnd(inMinutes(endsIn), at, idle * MINUTE)).toEqual(inMinutes(expected));
});

test.each([
  ['nothing while there is time', 30, 60, null],
  ['ten minutes before the end for want of input', 111, 300, { why: 'idle', leftMs: 9 * MINUTE }],
  ['ten minutes before the latest end', 0, 10, { why: 'over', leftMs: 10 * MINUTE }],
  ['the earlier of both', 115, 3, { why: 'over', leftMs: 3 * MINUTE }],
] as const)('the page says %s', (_, idle, left, expected) => {
  expect(sessionNotice(idle * MINUTE, left * MINUTE)).toEqual(expected);
});
