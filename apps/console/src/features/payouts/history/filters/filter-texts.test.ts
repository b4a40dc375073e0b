import { expect, test } from 'vitest';
import { dateRangeError } from '../../../../lib/url/active-filters.ts';
import { activeFilters } from './filter-texts.ts';

test('every filter in force has a name, a value, and a way out', () => {
  const filters = {
    community: 'c',
    type: 'trader_referrer',
    status: 'failed',
    distribution: '0190fa3c-0000-4000-8000-000000000001',
    from: '2026-01-01',
    search: '0xab',
  } as const;
  const active = activeFilters(filters, [{ value: 'c', label: 'Harbor' }]);
  expect(active.map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Community Harbor',
    'Recipient Type Trader referrer',
    'Status Failed',
    'Distribution 0190fa…0001',
    'Date from Jan 1, 2026',
    'Search 0xab',
  ]);
  const left = Object.assign({}, filters, ...active.map(({ without }) => without));
  expect(activeFilters(left, [])).toEqual([]);
});

test('an invalid range has a reason', () => {
  expect(dateRangeError({ from: '2026-02-01', to: '2026-01-31' })).toMatch(/after/);
  expect(dateRangeError({ from: '2026-02-01', to: '2026-02-01' })).toBeNull();
});
