import { expect, test } from 'vitest';
import { ownersOnPage } from './cached-order.ts';

const id = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;
const order = Buffer.from(['f', 'a', 'b', 'c', 'd'].map((digit) => digit.repeat(32)).join(''), 'hex');
const page = (orderDir: 'asc' | 'desc', offset: number, after?: string) =>
  ownersOnPage(order, { limit: 2, offset, orderDir, ...(after && { after: ['1', id(after)] }) });

test('a page by offset, down and up', () => {
  expect(page('desc', 0)).toEqual({ traders: [id('a')], hasUnknown: true });
  expect(page('desc', 3)).toEqual({ traders: [id('c'), id('d')], hasUnknown: false });
  expect(page('asc', 0)).toEqual({ traders: [id('d'), id('c')], hasUnknown: false });
  expect(page('asc', 4)).toEqual({ traders: [], hasUnknown: true });
});

test('a page that begins after a row', () => {
  expect(page('desc', 0, 'b')).toEqual({ traders: [id('c'), id('d')], hasUnknown: false });
  expect(page('desc', 1, 'f')).toEqual({ traders: [id('b'), id('c')], hasUnknown: false });
  expect(page('asc', 0, 'b')).toEqual({ traders: [id('a')], hasUnknown: true });
});

test('a page beyond the end is empty, and an unknown row has no position', () => {
  expect(page('desc', 5)).toEqual({ traders: [], hasUnknown: false });
  expect(page('desc', 0, 'd')).toEqual({ traders: [], hasUnknown: false });
  expect(page('desc', 0, 'e')).toBeNull();
});

test('an id that begins within another one is not found there', () => {
  const shifted = Buffer.from(`${'a'.repeat(31)}b${'c'.repeat(32)}`, 'hex');
  const within = `${'a'.repeat(30)}bc`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  expect(ownersOnPage(shifted, { limit: 2, offset: 0, orderDir: 'desc', after: ['1', within] })).toBeNull();
});
