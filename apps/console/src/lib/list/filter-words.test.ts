import { expect, test } from 'vitest';
import { rangeWords } from './filter-faces.ts';
import { activeFilters, amountRangeError, dateRangeError } from './filter-words.ts';
import {
  choice,
  least,
  linked,
  most,
  recordOf,
  search,
  since,
  toggle,
  until,
  type ValuesOf,
} from './filters.ts';

const filters = {
  search: search('search'),
  status: choice('Status', 'status', [
    { value: 'paid', label: 'Paid' },
    { value: 'pending', label: 'Pending' },
  ]),
  overdue: toggle('Overdue', 'is_overdue'),
  community: recordOf('Community', 'community_id', 'communities'),
  provider: recordOf('Provider', 'provider_id', 'providers'),
  min: least('Amount', 'min_amount'),
  max: most('Amount', 'max_amount'),
  from: since('Created', 'created_at_from'),
  to: until('Created', 'created_at_to'),
  distribution: linked('Distribution', 'distribution_id', { write: (id) => id.slice(0, 2) }),
};
const sources = { communities: [{ value: 'c', label: 'Harbor' }], providers: [] };
const words = (values: ValuesOf<typeof filters>) =>
  activeFilters(filters, values, sources).map(({ label, value }) => `${label} ${value}`);

test('every filter in force has a name, a value, and a way out', () => {
  const values: ValuesOf<typeof filters> = {
    search: 'kait',
    status: 'paid',
    overdue: 'false',
    community: 'c',
    provider: 'p',
    min: '5',
    from: '2026-01-01',
    to: '2026-02-01',
    distribution: '0190',
  };
  expect(words(values)).toEqual([
    'Status Paid',
    'Overdue No',
    'Community Harbor',
    'Provider Unknown',
    'Amount from $5.00',
    'Created Jan 1, 2026 – Feb 1, 2026',
    'Distribution 01',
  ]);
  const left = Object.assign(
    {},
    values,
    ...activeFilters(filters, values, sources).map(({ without }) => without),
  );
  expect(words(left)).toEqual([]);
});

test('one end of a range speaks for itself, and days that move with today by their name', () => {
  expect(words({ max: '7.5', to: '2026-02-01' })).toEqual([
    'Amount up to $7.50',
    'Created up to Feb 1, 2026',
  ]);
  expect(words({ from: 'last_7_days' })).toEqual(['Created Last 7 days']);
  expect(rangeWords('days', {})).toBeUndefined();
});

test('only filters of the kinds asked for', () => {
  const active = activeFilters(filters, { status: 'paid', distribution: '0190' }, sources, ['word']);
  expect(active).toEqual([{ label: 'Distribution', value: '01', without: { distribution: undefined } }]);
});

test('an invalid range has a reason', () => {
  expect(amountRangeError({ from: '5', to: '10' })).toBeNull();
  expect(amountRangeError({ from: undefined, to: '0.000000000000000001' })).toBeNull();
  expect(amountRangeError({ from: '1e3', to: undefined })).toMatch(/digits/);
  expect(amountRangeError({ from: '10', to: '9.99' })).toMatch(/above/);
  expect(dateRangeError({ from: '2026-02-01', to: '2026-01-31' })).toMatch(/after/);
  expect(dateRangeError({ from: '2026-02-01', to: '2026-02-01' })).toBeNull();
});
