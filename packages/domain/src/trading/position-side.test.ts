import { expect, test } from 'vitest';
import { readSide } from './position-side.ts';

test.each([
  ['buy', 'long'],
  ['long', 'long'],
  ['Buy', 'long'],
  [' LONG ', 'long'],
  ['sell', 'short'],
  ['short', 'short'],
  ['net', 'short'],
  ['', 'short'],
])('"%s" counts as %s', (side, expected) => {
  expect(readSide(side)).toBe(expected);
});
