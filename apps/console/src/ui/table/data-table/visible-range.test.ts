import { expect, test } from 'vitest';
import { rowAfterKey, rowsToRender } from './visible-range.ts';

test('renders the view with some rows around it, within the list', () => {
  expect(rowsToRender({ first: 0, last: 2 }, 2, 100, 0)).toEqual([0, 1, 2, 3, 4]);
  expect(rowsToRender({ first: 97, last: 99 }, 2, 100, 99)).toEqual([95, 96, 97, 98, 99]);
  expect(rowsToRender({ first: 0, last: 0 }, 2, 0, 0)).toEqual([]);
});

test('the active row stays in the page, in order', () => {
  expect(rowsToRender({ first: 50, last: 51 }, 1, 100, 3)).toEqual([3, 49, 50, 51, 52]);
  expect(rowsToRender({ first: 50, last: 51 }, 1, 100, 90)).toEqual([49, 50, 51, 52, 90]);
  expect(rowsToRender({ first: 50, last: 51 }, 1, 60, 90)).toEqual([49, 50, 51, 52]);
});

test.each([
  ['ArrowDown', 5, 6],
  ['ArrowUp', 0, 0],
  ['PageDown', 95, 99],
  ['PageUp', 15, 5],
  ['Home', 50, 0],
  ['End', 0, 99],
  ['a', 0, null],
])('%s takes row %i to %s', (key, from, to) => {
  expect(rowAfterKey(key, from, 100, 10)).toBe(to);
});
