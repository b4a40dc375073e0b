import { AS_IS } from '@copydesk/domain/person';
import { expect, test } from 'vitest';
import { mergeLayouts } from './keep-layout.ts';

const base = { order: ['a', 'b', 'c'], hidden: ['c'], widths: { a: 100, b: 200 }, pinned: 'a' };

test('what was not touched here is as it was stored meanwhile', () => {
  const stored = { order: ['c', 'b', 'a'], hidden: [], widths: { a: 150 }, pinned: null };
  expect(mergeLayouts(base, base, stored)).toEqual(stored);
});

test('columns that two places hid, and widths that they drew, are all kept', () => {
  const mine = { ...base, hidden: ['c', 'a'], widths: { a: 120, b: 200 } };
  const stored = { ...base, hidden: ['c', 'b'], widths: { a: 100, b: 250, c: 90 } };
  expect(mergeLayouts(base, mine, stored)).toEqual({
    ...base,
    hidden: ['c', 'b', 'a'],
    widths: { a: 120, b: 250, c: 90 },
  });
});

test('a column shown again here stays shown, and a width given back is gone', () => {
  const mine = { ...base, hidden: [], widths: { b: 200 } };
  expect(mergeLayouts(base, mine, { ...base, hidden: ['c', 'b'] })).toEqual({
    ...base,
    hidden: ['b'],
    widths: { b: 200 },
  });
});

test('the order of who moved last counts', () => {
  const mine = { ...AS_IS, order: ['b', 'a'] };
  expect(mergeLayouts(AS_IS, mine, { ...AS_IS, order: ['a', 'b'] }).order).toEqual(['b', 'a']);
});
