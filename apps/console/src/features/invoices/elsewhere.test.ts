import { expect, test } from 'vitest';
import { offersElsewhere } from './elsewhere.ts';
import { filtersFrom } from './invoices-search.ts';

const COUNTS = { all: 3, unpaid: 1, paid: 2, archived: 1 };

test('All offers archived groups, and other matches; other tabs offer those outside them', () => {
  const all = filtersFrom({ search: '10' });
  expect(offersElsewhere(all, COUNTS, 2, []).map(({ text }) => text)).toEqual([
    '1 in Archived',
    '2 more by name, Telegram, e-mail, account, invoice, address or hash',
  ]);
  expect(offersElsewhere({ ...all, tab: 'paid' }, COUNTS, 0, []).map(({ text }) => text)).toEqual([
    '3 in All',
    '1 in Unpaid',
    '1 in Archived',
  ]);
});

test('without a search nothing is offered, and from other matches there is a way back', () => {
  expect(offersElsewhere(filtersFrom({}), COUNTS, 2, [])).toEqual([]);
  expect(
    offersElsewhere(filtersFrom({ search: 'ada', in: 'other' }), { ...COUNTS, archived: 0 }, 0, []),
  ).toEqual([{ text: 'Search reference numbers instead', change: { in: undefined, page: undefined } }]);
});

test('a search that is in the name of a community leads there', () => {
  const communities = [
    { value: '1', label: 'Kite Traders' },
    { value: '2', label: 'Northern Kites' },
    { value: '3', label: 'Zulu' },
  ];
  const filters = filtersFrom({ search: ' KITE' });
  const none = { all: 0, unpaid: 0, paid: 0, archived: 0 };
  expect(offersElsewhere(filters, none, 0, communities)).toEqual([
    { text: 'Invoices of Kite Traders', change: { community: '1', search: undefined, page: undefined } },
    { text: 'Invoices of Northern Kites', change: { community: '2', search: undefined, page: undefined } },
  ]);
  expect(offersElsewhere({ ...filters, search: 'ki' }, none, 0, communities)).toEqual([]);
});
