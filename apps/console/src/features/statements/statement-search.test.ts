import { expect, test } from 'vitest';
import { momentsOf, monthsUntil, readStatementSearch } from './statement-search.ts';

test('a month ends where the next one begins, also at the end of a year', () => {
  expect(momentsOf('2026-12')).toEqual({ from: '2026-12-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' });
  expect(momentsOf('2026-12').to).toBe(momentsOf('2027-01').from);
  expect(momentsOf(undefined)).toEqual({});
});

test('the months before a day, whatever the day', () => {
  expect(monthsUntil(new Date('2026-03-31T23:59:59Z'), 4)).toEqual([
    '2026-03',
    '2026-02',
    '2026-01',
    '2025-12',
  ]);
});

test('what a URL cannot mean is left out', () => {
  expect(readStatementSearch({ account: 'wallet', asset: 'EUR', month: '2026-13', page: '0' })).toEqual({});
  expect(readStatementSearch({ account: 'receivable', month: '2026-02', page: '2' })).toEqual({
    account: 'receivable',
    month: '2026-02',
    page: '2',
  });
});
