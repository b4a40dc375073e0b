import type { Query } from './invoice-list-world.ts';
import type { ListedInvoice } from './listed-invoices.ts';
import { units } from './usdt.ts';

type FilterCase = [name: string, query: () => Query, fits: (invoice: ListedInvoice) => boolean];

/** Filters alone and combined, each with its matching invoices. */
export function filterCases(all: () => readonly ListedInvoice[]): FilterCase[] {
  const some = () =>
    all().find(
      (i) => i.status === 'pending' && i.provider && !i.is_archived && i.trader.reference_number,
    ) as ListedInvoice;
  const day = () => some().created_at.slice(0, 10);
  const median = () =>
    all()
      .map((i) => Number(i.amount))
      .sort((a, b) => a - b)
      [all.length >> 1]?.toFixed(2) ?? '';
  return [
    ['nothing', () => ({}), () => true],
    ['is_paid', () => ({ is_paid: 'true' }), (i) => i.is_paid],
    ['not is_paid', () => ({ is_paid: 'false' }), (i) => !i.is_paid],
    ['status', () => ({ status: 'cancelled' }), (i) => i.status === 'cancelled'],
    ['any status', () => ({ status: 'all' }), () => true],
    ['invoice_type', () => ({ invoice_type: 'exchange_bot' }), (i) => i.invoice_type === 'exchange_bot'],
    ['exchange', () => ({ exchange: 'bybit' }), (i) => i.exchange === 'bybit'],
    ['trader_id', () => ({ trader_id: some().trader_id }), (i) => i.trader_id === some().trader_id],
    [
      'community_id',
      () => ({ community_id: some().community_id }),
      (i) => i.community_id === some().community_id,
    ],
    [
      'provider_id',
      () => ({ provider_id: some().provider?.id ?? '' }),
      (i) => i.provider?.id === some().provider?.id,
    ],
    ['from a day', () => ({ created_at_from: day() }), (i) => i.created_at.slice(0, 10) >= day()],
    ['to a day', () => ({ created_at_to: day() }), (i) => i.created_at.slice(0, 10) <= day()],
    [
      'between moments',
      () => ({ created_at_from: '2020-01-01T00:00:00Z', created_at_to: `${day()}T12:00:00Z` }),
      (i) => Date.parse(i.created_at) <= Date.parse(`${day()}T12:00:00Z`),
    ],
    ['min_amount', () => ({ min_amount: median() }), (i) => units(i.amount) >= units(median())],
    ['max_amount', () => ({ max_amount: median() }), (i) => units(i.amount) <= units(median())],
    ['search', () => ({ search: '2' }), (i) => i.trader.reference_number?.includes('2') ?? false],
    [
      'search, literally',
      () => ({ search: 'oddä_50%' }),
      (i) => i.trader.reference_number?.startsWith('Odd') ?? false,
    ],
    [
      'reference_number',
      () => ({ reference_number: 'unknown' }),
      (i) => (i.trader.reference_number ?? 'unknown') === 'unknown',
    ],
    ['is_overdue', () => ({ is_overdue: 'true' }), (i) => i.is_overdue],
    ['not is_overdue', () => ({ is_overdue: 'false' }), (i) => !i.is_overdue],
    [
      'several',
      () => ({ exchange: 'bybit', is_paid: 'true', search: '1', min_amount: median() }),
      (i) =>
        i.exchange === 'bybit' &&
        i.is_paid &&
        (i.trader.reference_number?.includes('1') ?? false) &&
        units(i.amount) >= units(median()),
    ],
    [
      'a status of an exchange',
      () => ({ status: 'paid', exchange: 'okx' }),
      (i) => i.status === 'paid' && i.exchange === 'okx',
    ],
    [
      'a type that is not paid',
      () => ({ invoice_type: 'regular', is_paid: 'false' }),
      (i) => i.invoice_type === 'regular' && !i.is_paid,
    ],
    ['paid and pending at once', () => ({ is_paid: 'true', status: 'pending' }), () => false],
    [
      'one day',
      () => ({ created_at_from: day(), created_at_to: day() }),
      (i) => i.created_at.slice(0, 10) === day(),
    ],
    [
      'amounts between',
      () => ({ min_amount: median(), max_amount: `${Number(median()) * 1.5}` }),
      (i) => units(i.amount) >= units(median()) && Number(i.amount) <= Number(median()) * 1.5,
    ],
    [
      'an exchange from a day',
      () => ({ exchange: 'bybit', created_at_from: day() }),
      (i) => i.exchange === 'bybit' && i.created_at.slice(0, 10) >= day(),
    ],
    [
      'overdue of an exchange',
      () => ({ exchange: 'bybit', is_overdue: 'true' }),
      (i) => i.exchange === 'bybit' && i.is_overdue,
    ],
    [
      'bounds that leave nothing out',
      () => ({ created_at_from: '2000-01-01', created_at_to: '2100-01-01', min_amount: '0', status: 'paid' }),
      (i) => i.status === 'paid',
    ],
    [
      'a provider and an exchange',
      () => ({ provider_id: some().provider?.id ?? '', exchange: some().exchange ?? 'bybit' }),
      (i) => i.provider?.id === some().provider?.id && i.exchange === (some().exchange ?? 'bybit'),
    ],
    [
      'a community and a status',
      () => ({ community_id: some().community_id, status: 'pending' }),
      (i) => i.community_id === some().community_id && i.status === 'pending',
    ],
    [
      'a reference number and amounts',
      () => ({ reference_number: some().trader.reference_number ?? '', max_amount: median() }),
      (i) =>
        i.trader.reference_number === some().trader.reference_number && units(i.amount) <= units(median()),
    ],
    ['a search without a match', () => ({ search: 'nobody is called so' }), () => false],
  ];
}
