import { AS_IS } from '@copydesk/domain/person';
import { expect, test } from 'vitest';
import { arrangeColumns } from './arrange-columns.ts';

const COLUMNS = [
  { id: 'select', track: '2rem', isFixed: true },
  { id: 'name', track: 'minmax(8rem, 1fr)', isPinned: true },
  { id: 'amount', track: '5rem' },
  { id: 'state', track: '6rem' },
  { id: 'menu', track: '2rem', isFixed: true },
] as const;
const ids = (layout: object) => arrangeColumns(COLUMNS, { ...AS_IS, ...layout }).map(({ id }) => id);

test('without a layout the columns stand as the list has them', () => {
  expect(arrangeColumns(COLUMNS, AS_IS)).toEqual(COLUMNS);
});

test('columns in the order of the person; one that the order does not know keeps its place', () => {
  expect(ids({ order: ['state', 'amount', 'name'] })).toEqual(['select', 'state', 'amount', 'name', 'menu']);
  expect(ids({ order: ['state', 'name'] })).toEqual(['select', 'state', 'amount', 'name', 'menu']);
  expect(ids({ order: ['gone', 'amount', 'name'] })).toEqual(['select', 'amount', 'name', 'state', 'menu']);
});

test('a hidden column is left out, unless it has no name', () => {
  expect(ids({ hidden: ['amount', 'menu'] })).toEqual(['select', 'name', 'state', 'menu']);
});

test('a width is kept within what can be read', () => {
  const of = (px: number) => arrangeColumns(COLUMNS, { ...AS_IS, widths: { amount: px } })[2]?.track;
  expect([of(160), of(1), of(9_000)]).toEqual(['10rem', '3rem', '75rem']);
});

test('every column up to the pinned one stays in view; of a hidden one nothing follows', () => {
  const pinned = (layout: object) =>
    arrangeColumns(COLUMNS, { ...AS_IS, ...layout })
      .filter((column) => 'isPinned' in column && column.isPinned)
      .map(({ id }) => id);
  expect(pinned({ pinned: 'amount' })).toEqual(['select', 'name', 'amount']);
  expect(pinned({ pinned: 'select' })).toEqual(['select']);
  expect(pinned({ pinned: 'amount', hidden: ['amount'] })).toEqual(['name']);
});
