import { expect, test } from 'vitest';
import { filtersFrom, readPayoutsSearch, rowsParam, sortParams } from './history-search.ts';

test('valid URL parameters are kept, others fall back', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const good = {
    community: id,
    type: 'community_referrer',
    status: 'failed',
    distribution: id,
    from: '2026-01-31',
    to: '2026-02-28',
    search: '0xab',
    find: 'mark',
    sort: 'amount',
    dir: 'asc',
    rows: '50',
    page: '3',
    payout: id,
  };
  expect(readPayoutsSearch(good)).toEqual(good);
  const bad = { community: '1', type: 'nobody', status: 'paid', from: '2026-02-31', to: 'now', sort: 'id' };
  const worse = { dir: 'up', rows: '25', page: '0', payout: 'x', search: ' ', find: 7 };
  expect(Object.values(readPayoutsSearch({ ...bad, ...worse })).every((value) => value === undefined)).toBe(
    true,
  );
});

test('the newest come first, twenty to a page', () => {
  expect(filtersFrom({})).toEqual({ sort: { column: 'created_at', direction: 'desc' }, rows: 20, page: 1 });
  expect(filtersFrom({ find: 'mark', payout: 'x', page: '2' })).toMatchObject({ page: 2 });
});

test('another order or page size begins on the first page, and a default is not written', () => {
  expect(sortParams({ column: 'amount', direction: 'desc' })).toEqual({ sort: 'amount' });
  expect(sortParams({ column: 'created_at', direction: 'asc' })).toEqual({ dir: 'asc' });
  expect(rowsParam(20)).toEqual({});
  expect(rowsParam(10)).toEqual({ rows: '10' });
});
