import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import type { Answers } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/audit';
type Entry = CallAnswer<typeof LIST>['data'][number];

const entryOf = (seq: string, changes: Partial<Entry>): Entry => ({
  seq,
  is_sealed: true,
  at: '2026-01-02T10:00:00.000Z',
  actor_kind: 'user',
  actor_id: idOf(1),
  actor_name: SUPER_ADMIN.email,
  is_actor_person: true,
  action: 'community.settings_changed',
  target_kind: 'community',
  target_id: idOf(2),
  target_name: 'Blue Harbor',
  before: { minimum_balance: '500' },
  after: { minimum_balance: '507' },
  request_id: null,
  keyed_by: 'api',
  ...changes,
});
const answerOf = (data: Entry[], target_name: string | null = null): CallAnswer<typeof LIST> => ({
  success: true,
  data,
  meta: { next_seq: null, total: data.length, is_total_capped: false, target_name },
});
const listed = (...given: Parameters<typeof answerOf>): Answers => ({ [LIST]: answerOf(...given) });
const ENTRIES = [
  entryOf('14', {}),
  entryOf('13', {
    action: 'order.placed',
    target_kind: 'order',
    target_id: idOf(3),
    target_name: 'archiving 2 invoices, 1,200.50 USDT unpaid',
    before: null,
    after: { act: 'invoices_archived', units: '1200500000000000000000' },
  }),
  entryOf('12', {
    action: 'setting.approved',
    target_kind: 'setting',
    target_id: 'payout_max_per_transaction',
    target_name: null,
    before: { value: 500 },
    after: { value: null },
  }),
  entryOf('11', {
    actor_kind: 'system',
    actor_id: 'worker',
    actor_name: 'worker',
    is_actor_person: false,
    action: 'trader.changed',
    target_kind: 'trader',
    target_id: idOf(4),
    target_name: null,
    before: null,
    after: null,
  }),
];
const open = (address: string, answers: Answers, width?: number) =>
  showScreen(address, {
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/audit/chain': {
        success: true,
        data: { head: null, unsealed: { count: 0, since: null }, open: null, last: null, noted: [] },
      },
      ...answers,
    },
    ...(width && { width, height: 844 }),
  });
const rows = page.getByRole('list', { name: 'Audit entries, newest first' }).getByRole('listitem');
const leadsTo = (row: number, name: string) =>
  expect.element(rows.nth(row).getByRole('link', { name, exact: true }));

test('person and object are links to their pages; what is gone or no person is none', async () => {
  await open('/audit', listed(ENTRIES));
  await leadsTo(0, SUPER_ADMIN.email).toHaveAttribute('href', `/people/${idOf(1)}`);
  await leadsTo(0, 'Blue Harbor').toHaveAttribute('href', `/community-settings/${idOf(2)}`);
  await expect
    .element(rows.nth(1))
    .toHaveTextContent('placed an order: archiving 2 invoices, 1,200.50 USDT unpaid');
  await leadsTo(2, 'Largest payout').toHaveAttribute('href', '/settings#setting-payout_max_per_transaction');
  await expect.element(rows.nth(2)).toHaveTextContent('value: 500 USDT to No limit');
  await expect.element(rows.nth(3)).toHaveTextContent('worker changed the trader');
  expect(rows.nth(3).getByRole('link').elements()).toEqual([]);
  await expectAccessible();
});

test('the entries of one object are one press away, beside the other filters, and the filter is taken off', async () => {
  const { server, address } = await open('/audit?by=user', {
    [LIST]: ({ query }) =>
      query.target_id ? answerOf(ENTRIES.slice(0, 1), 'Blue Harbor') : answerOf(ENTRIES),
  });
  await rows.nth(0).getByRole('button', { name: 'Only this: Community Blue Harbor' }).click();
  await expect.poll(address).toBe(`/audit?by=user&targetKind=community&target=${idOf(2)}`);
  expect(server.sentTo(LIST).at(-1)?.query).toMatchObject({
    actor_kind: 'user',
    target_kind: 'community',
    target_id: idOf(2),
  });
  await page.getByRole('button', { name: 'Remove filter Object Community Blue Harbor' }).click();
  await expect.poll(address).toBe('/audit?by=user');
  await rows
    .nth(0)
    .getByRole('button', { name: `Only person ${SUPER_ADMIN.email}` })
    .click();
  await expect.poll(address).toBe(`/audit?by=user&actor=${idOf(1)}`);
  // Not one of the people to choose from.
  await expect.element(page.getByRole('button', { name: `Person: ${SUPER_ADMIN.email}` })).toBeVisible();
});

test('an object is named where nothing was done to it, and by its kind once it is gone', async () => {
  const { unmount } = await open(
    `/audit?kind=invoice&targetKind=community&target=${idOf(2)}`,
    listed([], 'Blue Harbor'),
  );
  await expect.element(page.getByText('No entries about this: Community Blue Harbor')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: 'Remove filter Object Community Blue Harbor' }))
    .toBeVisible();
  await expectAccessible();
  await unmount();
  const { address } = await open(`/audit?targetKind=trader&target=${idOf(4)}`, listed([]));
  await expect.element(page.getByText(`Trader ${idOf(4).slice(0, 8)}…`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(address).toBe('/audit');
});

test('on a phone the acts of an entry stand below it, and nothing scrolls sideways', async () => {
  await open('/audit?targetKind=setting&target=payout_max_per_transaction', listed(ENTRIES), 390);
  await expect.element(page.getByText('Object', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Largest payout', { exact: true }).first()).toBeVisible();
  const act = rows.nth(0).getByRole('button', { name: /^Only this/ });
  await expect.element(act).toBeVisible();
  expect(getComputedStyle(act.element()).opacity).toBe('1');
  expect(
    rows
      .nth(2)
      .getByRole('button', { name: /^Only this/ })
      .elements(),
  ).toEqual([]);
  const shown = document.querySelector('main') as HTMLElement;
  expect(shown.scrollWidth - shown.clientWidth).toBe(0);
  await expectAccessible();
});

test('a search is in the address and beside the other filters; where it looked at too few, it goes on', async () => {
  const [found] = ENTRIES;
  const { server, address } = await open('/audit?by=user', {
    [LIST]: ({ query }) => {
      if (!query.search) return answerOf(ENTRIES);
      const answer = answerOf(query.before_seq && found ? [found] : []);
      return query.before_seq
        ? answer
        : { ...answer, meta: { ...answer.meta, next_seq: '40', is_total_capped: true } };
    },
  });
  await page.getByRole('button', { name: 'Search the audit' }).click();
  await page
    .getByRole('searchbox', { name: 'Search the audit' })

    .fill('harbor 507');
  await expect.poll(address).toBe('/audit?by=user&search=harbor+507');
  await expect.element(page.getByText('None among the latest that the search finds.')).toBeVisible();
  expect(server.sentTo(LIST).at(-1)?.query).toMatchObject({ search: 'harbor 507', actor_kind: 'user' });
  await page.getByRole('button', { name: 'Show more' }).click();
  await leadsTo(0, 'Blue Harbor').toBeVisible();
  expect(server.sentTo(LIST).at(-1)?.query).toMatchObject({ search: 'harbor 507', before_seq: '40' });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(address).toBe('/audit');
});
