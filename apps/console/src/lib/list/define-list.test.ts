import { expect, test } from 'vitest';
import { defineList } from './define-list.ts';
import { definePagedList } from './define-paged-list.ts';
import { among, choice, search, since, until } from './filters.ts';

const described = {
  filters: {
    search: search('search'),
    status: choice('Status', 'status', [{ value: 'paid', label: 'Paid' }]),
    from: since('Created', 'created_at_from'),
    to: until('Created', 'created_at_to'),
  },
  rest: { tab: among(['all', 'unpaid']), open: among(['x']) },
  kept: ['tab'],
  columns: ['created_at', 'amount'],
} as const;
const list = defineList(described);
const NOW = new Date('2026-03-01T00:30:00Z');

test.each([
  ['today', '2026-03-01', '2026-03-01'],
  ['last_7_days', '2026-02-23', '2026-03-01'],
  ['last_30_days', '2026-01-31', '2026-03-01'],
  ['this_month', '2026-03-01', '2026-03-01'],
  ['last_month', '2026-02-01', '2026-02-28'],
  ['this_quarter', '2026-01-01', '2026-03-01'],
])('the URL keeps "%s"; the API is asked for the days of today', (preset, from, to) => {
  expect(list.read({ from: preset })).toMatchObject({ from: preset });
  expect(list.wire({ from: preset }, NOW)).toMatchObject({ created_at_from: from, created_at_to: to });
});

test('fixed days stay, and what is no day is dropped', () => {
  expect(list.wire({ from: '2026-01-05' }, NOW)).toMatchObject({
    created_at_from: '2026-01-05',
    created_at_to: undefined,
  });
  expect(list.read({ from: 'tomorrow', to: 'today' })).toMatchObject({ from: undefined, to: undefined });
  expect(list.read({ from: 'toString' }).from).toBeUndefined();
});

test('a view keeps filters, order, size and what the list names, in one order, neither page nor open row', () => {
  const paged = definePagedList({ ...described, sizes: [10, 50], rows: 10 });
  const search = paged.read({
    tab: 'unpaid',
    rows: '50',
    page: '3',
    open: 'x',
    search: 'käit 1',
    from: 'last_7_days',
    saved: '00000000-0000-4000-8000-000000000001',
  });
  const query = paged.viewOf(search);
  expect(query).toBe('from=last_7_days&rows=50&search=k%C3%A4it+1&tab=unpaid');
  expect(query).toMatch(/^[\x20-\x7e]*$/);
});
