import { expect, test } from 'vitest';
import { filterOf } from './wanted-addresses.ts';

const all = new Set(['a', 'b', 'c', 'd', 'e']);

test('awaited addresses come first, filled up with others', () => {
  expect(filterOf(all, new Set(['d', 'e']), 3)).toEqual(['d', 'e', 'a']);
});

test('too many awaited addresses: the whole block is read', () => {
  expect(filterOf(all, new Set(['b', 'c', 'd', 'e']), 3)).toBeNull();
});
