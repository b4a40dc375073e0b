import { expect, test } from 'vitest';
import { dateRangeError } from '../../../lib/url/active-filters.ts';
import { amountRangeError } from './filter-bar.tsx';
import { activeFilters } from './filter-texts.ts';

const options = { communities: [{ value: 'c', label: 'Harbor' }], providers: [] };

test('every filter in force has a name, a value, and a way out', () => {
  const filters = {
    community: 'c',
    provider: 'p',
    exchange: 'okx',
    status: 'paid',
    type: 'exchange_bot',
    min: '5',
    from: '2026-01-01',
    to: '2026-02-01',
    overdue: 'false',
    search: 'kait',
  } as const;
  const active = activeFilters(filters, options);
  expect(active.map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Community Harbor',
    'Provider Unknown',
    'Exchange OKX',
    'Status Paid',
    'Type Exchange bot',
    'Amount from $5.00',
    'Created Jan 1, 2026 – Feb 1, 2026',
    'Overdue No',
  ]);
  const left = Object.assign({}, filters, ...active.map(({ without }) => without));
  expect(activeFilters(left, options)).toEqual([]);
});

test('an invalid range has a reason', () => {
  expect(amountRangeError({ from: '5', to: '10' })).toBeNull();
  expect(amountRangeError({ from: undefined, to: '0.000000000000000001' })).toBeNull();
  expect(amountRangeError({ from: '1e3', to: undefined })).toMatch(/digits/);
  expect(amountRangeError({ from: '10', to: '9.99' })).toMatch(/above/);
  expect(dateRangeError({ from: '2026-02-01', to: '2026-01-31' })).toMatch(/after/);
  expect(dateRangeError({ from: '2026-02-01', to: '2026-02-01' })).toBeNull();
});
