import { expect, test } from 'vitest';
import { filtersFrom, readTradersSearch, sortParams } from './traders-search.ts';

const COMMUNITY = '0B8F4C1E-0000-4000-8000-00000000000A';

test('reads the parameters of the URL', () => {
  const raw = {
    tab: 'connected',
    search: ' kait-1 ',
    community: COMMUNITY,
    exchange: 'okx',
    sort: 'aum',
    dir: 'asc',
  };
  expect(readTradersSearch(raw)).toEqual({
    tab: 'connected',
    search: 'kait-1',
    in: undefined,
    community: COMMUNITY.toLowerCase(),
    provider: undefined,
    exchange: 'okx',
    sort: 'aum',
    dir: 'asc',
  });
});

test('answers nonsense as undefined, so that it overrides the raw parameter', () => {
  const read = readTradersSearch({
    tab: 'x',
    community: '1 or 1=1',
    exchange: 'ftx',
    sort: 'name',
    dir: 'up',
  });
  expect(Object.keys(read).sort()).toEqual([
    'below',
    'community',
    'dir',
    'exchange',
    'in',
    'provider',
    'saved',
    'search',
    'sort',
    'tab',
  ]);
  expect(Object.values(read).every((value) => value === undefined)).toBe(true);
});

test('the tab comes from the URL, then from memory, then is the inbox', () => {
  expect(filtersFrom({ tab: 'delinquent' }, 'connected').tab).toBe('delinquent');
  expect(filtersFrom({}, 'connected').tab).toBe('connected');
  expect(filtersFrom({}, 'everything').tab).toBe('inbox');
  expect(filtersFrom({}, null).tab).toBe('inbox');
});

test('the views beside the tabs are in the URL, and are not remembered', () => {
  for (const tab of ['none', 'all'] as const) {
    expect(filtersFrom(readTradersSearch({ tab }), 'connected').tab).toBe(tab);
    expect(filtersFrom({}, tab).tab).toBe('inbox');
  }
});

test('the default sort is AUM, descending, and is left out of the URL', () => {
  const { sort } = filtersFrom({}, null);
  expect(sort).toEqual({ column: 'aum', direction: 'desc' });
  expect(sortParams(sort)).toEqual({ sort: undefined, dir: undefined });
  expect(sortParams({ column: 'reference_number', direction: 'asc' })).toEqual({
    sort: 'reference_number',
    dir: 'asc',
  });
});
