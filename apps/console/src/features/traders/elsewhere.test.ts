import { expect, test } from 'vitest';
import { offersElsewhere } from './elsewhere.ts';
import { filtersFrom } from './traders-search.ts';

const COUNTS = { inbox: 2, connected: 1_001, delinquent: 0, none: 3 };

test('without a search nothing is offered', () => {
  expect(offersElsewhere(filtersFrom({ tab: 'inbox' }, null), COUNTS, 5, [])).toEqual([]);
});

test('matches in other tabs are offered, and those by anything else lead to all traders', () => {
  const filters = filtersFrom({ tab: 'inbox', search: '10' }, null);
  expect(offersElsewhere(filters, COUNTS, 2, [])).toEqual([
    { text: '1,001 in Connected', change: { tab: 'connected' } },
    { text: '3 in Pending without an exchange', change: { tab: 'none' } },
    {
      text: '2 more by name, Telegram, e-mail, account, invoice, address or hash',
      change: { in: 'other', tab: 'all' },
    },
  ]);
  expect(offersElsewhere({ ...filters, tab: 'all' }, COUNTS, 0, [])).toEqual([]);
});

test('from the other matches there is a way back', () => {
  const filters = filtersFrom({ tab: 'all', search: 'ada', in: 'other' }, null);
  expect(offersElsewhere(filters, COUNTS, 0, [])).toEqual([
    { text: 'Search reference numbers instead', change: { in: undefined } },
  ]);
});

test('a search that is in the name of a community leads there', () => {
  const communities = [
    { value: '1', label: 'Kite Traders' },
    { value: '2', label: 'Northern Kites' },
    { value: '3', label: 'Zulu' },
  ];
  const filters = filtersFrom({ search: ' KITE' }, null);
  const none = { inbox: 0, connected: 0, delinquent: 0, none: 0 };
  expect(offersElsewhere(filters, none, 0, communities)).toEqual([
    { text: 'Traders of Kite Traders', change: { community: '1', search: undefined, tab: 'all' } },
    { text: 'Traders of Northern Kites', change: { community: '2', search: undefined, tab: 'all' } },
  ]);
  expect(offersElsewhere({ ...filters, search: 'ki' }, none, 0, communities)).toEqual([]);
});
