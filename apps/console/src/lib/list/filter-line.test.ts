import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLine, writeLine } from './filter-line.ts';
import { choice, least, linked, most, recordOf, search, since, toggle, until } from './filters.ts';

const filters = {
  search: search('search'),
  status: choice('Status', 'status', [
    { value: 'paid', label: 'Paid' },
    { value: 'exchange_bot', label: 'Exchange bot' },
  ]),
  overdue: toggle('Overdue', 'is_overdue'),
  community: recordOf('Community', 'community_id', 'communities'),
  min: least('Amount', 'min_amount'),
  max: most('Amount', 'max_amount'),
  from: since('Created', 'created_at_from'),
  to: until('Created', 'created_at_to'),
  distribution: linked('Recipient Type', 'distribution_id'),
};
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const sources = {
  communities: [
    { value: idOf(1), label: 'Blue Harbor' },
    { value: idOf(2), label: 'Вершина' },
    { value: idOf(3), label: 'Twin' },
    { value: idOf(4), label: 'Twin' },
    { value: idOf(5), label: 'A "quoted": name' },
  ],
};
const list = { filters, sources, search: 'search' };
const read = (line: string) => {
  const result = readLine(line, list);
  if ('error' in result) return result.error;
  return Object.fromEntries(Object.entries(result.values).filter(([, value]) => value !== undefined));
};

test.each([
  ['status:paid overdue:yes', { status: 'paid', overdue: 'true' }],
  ['STATUS:exchange-bot', { status: 'exchange_bot' }],
  ['status:"Exchange bot"', { status: 'exchange_bot' }],
  ['community:"blue harbor" KAIT 1042', { community: idOf(1), search: 'KAIT 1042' }],
  ['community:Вершина', { community: idOf(2) }],
  [`community:${idOf(4)}`, { community: idOf(4) }],
  ['amount>500', { min: '500.000000000000000001' }],
  ['amount>=500 amount<=600.5', { min: '500', max: '600.5' }],
  ['amount<500', { max: '499.999999999999999999' }],
  ['amount:312.50', { min: '312.50', max: '312.50' }],
  ['created:last-7-days', { from: 'last_7_days' }],
  ['created>=2026-01-01 created<=2026-02-01', { from: '2026-01-01', to: '2026-02-01' }],
  ['recipient-type:abc', { distribution: 'abc' }],
  ['', {}],
])('%s', (line, values) => {
  expect(read(line)).toEqual(values);
  expect(read(writeLine(read(line) as object, list))).toEqual(values);
});

test.each([
  [
    'sttaus:paid',
    /No filter is called "sttaus".*status, overdue, community, amount, created, recipient-type/,
  ],
  ['overdue:perhaps', /yes or no/],
  ['status:lost', /no status "lost"/],
  ['community:Nowhere', /no community "Nowhere"/],
  ['amount>1e3', /digits/],
  ['created>2026-01-01', />= or <=/],
  ['created:2026-02-31', /day as/],
  ['created>=last_7_days', /day as/],
  ['status>paid', /status:value/],
])('%s is refused with a reason', (line, reason) => {
  expect(read(line)).toMatch(reason);
});

test('whatever is in force is written as a line that reads as the same', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 24n }).map((units) => {
    const text = units.toString().padStart(19, '0');
    return `${text.slice(0, -18)}.${text.slice(-18)}`.replace(/\.?0+$/, '');
  });
  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const values = fc.record({
    status: some(fc.constantFrom('paid', 'exchange_bot')),
    overdue: some(fc.constantFrom('true', 'false')),
    community: some(fc.constantFrom(1, 2, 3, 4, 5).map(idOf)),
    min: some(amounts),
    max: some(amounts),
    from: some(fc.constantFrom('2026-01-01', 'this_month')),
    search: some(fc.constantFrom('KAIT-1042', 'a b', 'x:y')),
  });
  fc.assert(
    fc.property(values, (chosen) => {
      const kept = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
      expect(read(writeLine(kept, list))).toEqual(kept);
    }),
  );
});
