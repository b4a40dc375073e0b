import { expect, test } from 'vitest';
import { placeOf, windowsFor } from './use-trader-rows.ts';

test.each([
  [0, 0, [0]],
  [-30, 60, [0]],
  [70, 130, [0, 100]],
  [99, 100, [0, 100]],
  [99_970, 100_030, [99_900, 100_000]],
  [250, 120, [200]],
])('rows %i to %i need the windows %j', (first, last, expected) => {
  expect(windowsFor(first, last, 100)).toEqual(expected);
});

test('finds the window of a row', () => {
  expect(placeOf(0, 100)).toEqual({ offset: 0, at: 0 });
  expect(placeOf(99_999, 100)).toEqual({ offset: 99_900, at: 99 });
});
