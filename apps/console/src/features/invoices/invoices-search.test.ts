import { expect, test } from 'vitest';
import { filtersFrom, readInvoicesSearch, rowsParam, sortParams } from './invoices-search.ts';

const ID = '00000001-0000-4000-8000-00000000000a';

test('an empty address is the first page of ten groups, the latest first', () => {
  expect(filtersFrom(readInvoicesSearch({}))).toMatchObject({
    tab: 'all',
    rows: 10,
    page: 1,
    sort: { column: 'created_at', direction: 'desc' },
  });
});

test('invalid parameters are ignored', () => {
  const raw = {
    tab: 'overdue',
    exchange: 'mtgox',
    community: 'x',
    status: 'all',
    type: 'bot',
    min: '-1',
    max: '1e9',
    from: '2026-02-31',
    to: 'yesterday',
    overdue: 'yes',
    sort: 'status',
    dir: 'up',
    rows: '11',
    page: '0',
    invoice: '7',
  };
  expect(Object.values(readInvoicesSearch(raw)).every((value) => value === undefined)).toBe(true);
});

test('valid parameters are kept unchanged', () => {
  const raw = {
    tab: 'archived',
    search: ' kait ',
    exchange: 'okx',
    community: ID.toUpperCase(),
    status: 'cancelled',
    type: 'exchange_bot',
    min: '0.5',
    max: '100',
    from: '2026-01-01',
    to: '2026-01-31',
    overdue: 'false',
    sort: 'updated_at',
    dir: 'asc',
    rows: '100',
    page: '3',
    invoice: ID,
  };
  expect(readInvoicesSearch(raw)).toEqual({ ...raw, search: 'kait', community: ID });
});

test('defaults are not written, and another order or size begins on the first page', () => {
  expect(sortParams({ column: 'created_at', direction: 'desc' })).toEqual({});
  expect(sortParams({ column: 'amount', direction: 'asc' })).toEqual({ sort: 'amount', dir: 'asc' });
  expect(rowsParam(10)).toEqual({});
  expect(rowsParam(50)).toEqual({ rows: '50' });
});
