import { expect, test } from 'vitest';
import { historyList } from './detail-search.ts';

test('reads the parameters of the URL', () => {
  const raw = { range: '1y', month: '2026-02', page: '3', sort: 'symbol', dir: 'asc', from: '2026-02-28' };
  expect(historyList.read(raw)).toMatchObject(raw);
});

test('answers nonsense as undefined, so that it overrides the raw parameter', () => {
  const read = historyList.read({
    range: '2y',
    month: '2026-13',
    page: '0',
    sort: 'side',
    dir: 'up',
    symbol: ' ',
    from: '2026-02-30',
    to: 'yesterday',
  });
  expect(Object.keys(read)).toHaveLength(11);
  expect(Object.values(read).every((value) => value === undefined)).toBe(true);
});
