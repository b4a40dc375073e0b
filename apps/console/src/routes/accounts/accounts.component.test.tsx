import { EXCHANGE_CAUSES, EXCHANGE_PROBLEM_CODES } from '@copydesk/domain/trading';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AccountsAnswer, ListedAccount } from '../../features/exchanges/accounts-queries.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse, type Sent } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/accounts';
const EGRESS = 'GET /api/platform-settings/egress-addresses';
const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const account = (n: number, over: Partial<ListedAccount> = {}): ListedAccount => ({
  id: idOf(n),
  trader_id: idOf(500 + n),
  trader: `KAIT-${1000 + n}`,
  community_id: idOf(3),
  community: 'Blue Harbor',
  provider_id: idOf(900),
  provider_name: 'Meridian Capital',
  exchange: 'bybit',
  acc_uid: `4400${n}`,
  account_type: 'master',
  equity: '12345.678',
  equity_read_at: at(-5),
  state: 'failing',
  problem: 'ip_not_allowed',
  since: at(-5),
  next_read_at: at(2),
  failures: 3,
  may_withdraw: false,
  key_ends_at: null,
  ...over,
});
const STATES = { failing: 3, unread: 2, new: 1, read: 120 };
const listing = (data: ListedAccount[], over: Partial<AccountsAnswer['meta']> = {}): AccountsAnswer => ({
  success: true,
  data,
  meta: { total: data.length, states: STATES, equity_unread: '98765.4', totals_at: at(0), ...over },
});
/** One account of each state. */
const FOUR = [
  account(1),
  account(2, { state: 'unread', problem: 'timeout', exchange: 'okx', next_read_at: null }),
  account(3, { state: 'new', problem: null, equity: null, equity_read_at: null, next_read_at: at(-1) }),
  account(4, { state: 'read', problem: null, since: null, may_withdraw: true }),
];
/** Keys that work and end soon, and one of which its exchange said so before. */
const ENDING = [
  account(5, { state: 'read', problem: null, since: null, key_ends_at: at(72) }),
  account(6, { state: 'read', problem: null, since: null, key_ends_at: at(-2) }),
  account(7, { key_ends_at: at(72) }),
];
const show = (
  answer: unknown,
  {
    at: path = '/accounts',
    user = SUPER_ADMIN,
    width = 1440,
    ...answers
  }: Answers & {
    at?: string;
    user?: typeof SUPER_ADMIN;
    width?: number;
  } = {},
) =>
  showScreen(path, {
    user,
    width,
    answers: { ...READS_UNDER_WAY, [LIST]: answer as never, ...(answers as Answers) },
  });

const table = page.getByRole('table', { name: 'Exchange accounts' });
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });
const tab = (name: RegExp) => page.getByRole('tab', { name });

test('says of each account what keeps it from being read, since when, and what ends it', async () => {
  await show(listing(FOUR, { total: 126 }));
  const failing = rowOf('KAIT-1001');
  await expect.element(failing).toHaveTextContent('Failing');
  await expect.element(failing).toHaveTextContent("Our address is not on the key's IP whitelist.");
  await expect.element(failing).toHaveTextContent('The trader allows our addresses at the exchange.');
  await expect.element(failing).toHaveTextContent('5 hours ago');
  await expect.element(failing).toHaveTextContent('$12,346');
  await expect
    .element(failing.getByRole('link', { name: 'KAIT-1001', exact: true }))
    .toHaveAttribute('href', `/trader/${idOf(501)}`);
  await expect
    .element(failing.getByRole('link', { name: 'Open keys of KAIT-1001' }))
    .toHaveAttribute('href', `/trader/${idOf(501)}`);
  // What passes by itself asks nobody to try again.
  await expect.element(rowOf('KAIT-1002')).toHaveTextContent('Nothing: it is tried again.');
  await expect.element(rowOf('KAIT-1002')).toHaveTextContent('Being read');
  await expect.element(rowOf('KAIT-1003')).toHaveTextContent(/connected, and not read yet.*Due.*N\/A/);
  await expect.element(rowOf('KAIT-1004')).toHaveTextContent('Its key allows withdrawals');
  await expect.element(page.getByRole('status').filter({ hasText: '126 accounts' })).toBeVisible();
  await expect.element(page.getByText('$98,765')).toBeVisible();
  for (const [name, n] of [
    [/^All/, 126],
    [/^Failing/, 3],
    [/^Unread/, 2],
    [/^New/, 1],
    [/^Read/, 120],
  ] as const)
    await expect.element(tab(name)).toHaveTextContent(String(n));
  await expectAccessible();
});

test('says which keys end soon, and lists them alone', async () => {
  const { server, address } = await show(listing(ENDING));
  await expect
    .element(rowOf('KAIT-1005'))
    .toHaveTextContent(/The exchange ends its key .*The trader makes a new one/);
  await expect.element(rowOf('KAIT-1006')).toHaveTextContent('The exchange was to end its key');
  await expect.element(rowOf('KAIT-1007')).toHaveTextContent("Our address is not on the key's IP whitelist.");
  await page.getByRole('button', { name: 'Key ends soon' }).click();
  await expect.poll(address).toBe('/accounts?ending=true');
  expect(server.sentTo(LIST).at(-1)?.query).toMatchObject({ key_ends_soon: 'true' });
  await expectAccessible();
});

test('every cause has words of its own, whoever ends it', async () => {
  const all = EXCHANGE_PROBLEM_CODES.map((problem, n) => account(n + 1, { problem }));
  await show(listing(all));
  await expect.element(table).toBeVisible();
  const rows = table.getByRole('row').elements().slice(1);
  EXCHANGE_PROBLEM_CODES.forEach((problem, n) => {
    const { cause, act } = EXCHANGE_CAUSES[problem];
    expect(rows[n]?.textContent).toContain(`${cause} ${act}`);
  });
  expect(table.element().textContent).not.toMatch(/null|undefined|try again/);
});

test('a tab, a filter, an order and a page ask for exactly that, and begin on the first page', async () => {
  const { server, address } = await show(listing(FOUR, { total: 126 }), {
    at: '/accounts?page=2',
    'GET /api/communities': {
      success: true,
      data: [{ id: idOf(3), name: 'Blue Harbor', is_archived: false, created_at: at(-9) }],
      meta: { totals_at: null },
    } as never,
  });
  await expect.element(table).toBeVisible();
  const last = () => server.sentTo(LIST).at(-1)?.query;
  expect(last()).toEqual({ orderBy: 'unread_for', orderDir: 'desc', limit: '50', offset: '50' });
  await tab(/^Failing/).click();
  await expect.poll(last).toMatchObject({ state: 'failing', offset: '0' });
  expect(address()).toBe('/accounts?state=failing');
  await page.getByRole('button', { name: 'Cause', exact: true }).click();
  await page.getByRole('option', { name: 'Keys locked' }).click();
  await expect.poll(last).toMatchObject({ state: 'failing', problem: 'key_locked' });
  await page.getByRole('button', { name: 'Equity', exact: true }).click();
  await expect.poll(last).toMatchObject({ orderBy: 'equity', orderDir: 'desc', problem: 'key_locked' });
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(last).toMatchObject({ offset: '50' });
  await page.getByRole('button', { name: 'Search accounts by trader or account' }).click();
  await page.getByRole('searchbox', { name: 'Search accounts by trader or account' }).fill('44001');
  await expect.poll(last).toMatchObject({ search: '44001', offset: '0', state: 'failing' });
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => last()?.problem).toBe(undefined);
});

test('a page that no longer exists leads to the last one', async () => {
  const { address } = await show(
    ({ query }: Sent) => listing(query.offset === '0' ? FOUR : [], { total: 4 }),
    { at: '/accounts?page=9' },
  );
  await expect.element(rowOf('KAIT-1001')).toBeVisible();
  expect(address()).toBe('/accounts');
});

test('addresses to allow stand beside the accounts that miss them, and nowhere else', async () => {
  const egress = { [EGRESS]: { success: true as const, data: ['203.0.113.7', '203.0.113.8'] } };
  const first = await show(listing(FOUR), { at: '/accounts?problem=ip_not_allowed', ...egress });
  await expect.element(page.getByText('203.0.113.7, 203.0.113.8')).toBeVisible();
  await expectAccessible();
  await first.unmount();
  await show(listing(FOUR), { at: '/accounts?problem=key_locked', ...egress });
  await expect.element(table).toBeVisible();
  expect(page.getByText('203.0.113.7').elements()).toEqual([]);
});

test('unread accounts of a whole exchange are said calmly', async () => {
  await show(listing([FOUR[1] as ListedAccount], { total: 2 }), {
    at: '/accounts?state=unread&exchange=okx',
  });
  await expect.element(page.getByText(/No key of these at OKX is known to be wrong/)).toBeVisible();
});

test.each([
  ['/accounts', 'No exchange accounts yet', /page of a trader/],
  ['/accounts?state=failing', 'No account fails', /appear here/],
  ['/accounts?state=new', 'No account is new', /first reading/],
])('%s without accounts says what comes next', async (path, title, text) => {
  await show(listing([], { states: { failing: 0, unread: 0, new: 0, read: 0 }, equity_unread: '0' }), {
    at: path,
  });
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
  await expect.element(page.getByText(text).first()).toBeVisible();
  await expectAccessible();
});

test('a search that finds nothing in its tab shows where it found something', async () => {
  const { address } = await show(
    ({ query }: Sent) =>
      query.state === 'failing'
        ? listing([], { states: { failing: 0, unread: 0, new: 0, read: 2 } })
        : listing(FOUR.slice(3)),
    { at: '/accounts?state=failing&search=kait' },
  );
  await expect.element(page.getByRole('heading', { name: 'No accounts found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show 2 in Read' }).click();
  await expect.element(rowOf('KAIT-1004')).toBeVisible();
  expect(address()).toBe('/accounts?state=read&search=kait');
});

test('a failure is said once, and tried again when asked', async () => {
  let isDown = true;
  await show(() => {
    if (isDown) return refuse(400, 'validation_failed', 'This cannot be read.');
    return listing(FOUR);
  });
  await expect.element(page.getByRole('alert')).toHaveTextContent(/The accounts could not be loaded/);
  await expect.element(page.getByRole('alert')).toHaveTextContent(/This cannot be read/);
  await expectAccessible();
  isDown = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(rowOf('KAIT-1001')).toBeVisible();
});

test('without an answer the rows are on their way', async () => {
  await show(READS_UNDER_WAY[LIST]);
  await expect.element(page.getByText('Loading accounts...')).toBeVisible();
  await expectAccessible();
});

test('accounts are read again by their traders, once each', async () => {
  const preview = {
    total: 1,
    will: 1,
    left_out: [],
    amount: null,
    rows: [
      {
        trader_id: idOf(501),
        name: null,
        telegram_username: null,
        reference_number: 'KAIT-1001',
        reason: null,
        before: null,
        amount: null,
      },
    ],
  };
  const { server } = await show(
    listing([...FOUR, account(9, { trader: 'KAIT-1001', trader_id: idOf(501) })]),
    {
      'POST /api/bulk-acts/preview': { success: true, data: preview } as never,
    },
  );
  await rowOf('44001').getByRole('checkbox', { name: 'Select KAIT-1001' }).click();
  // The other account of the same trader is read with it.
  await expect.element(rowOf('44009').getByRole('checkbox')).toBeChecked();
  await expect
    .element(page.getByRole('region', { name: 'Selection' }))
    .toHaveTextContent(/1 trader selected/);
  await expectAccessible();
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect.element(page.getByRole('dialog')).toHaveTextContent(/read ahead of all others/);
  expect(server.sentTo('POST /api/bulk-acts/preview')[0]?.body).toEqual({
    act: 'read',
    trader_ids: [idOf(501)],
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Ask for new keys' }).click();
  await expect.element(page.getByRole('dialog')).toHaveTextContent(/make a new one that may only read/);
  expect(server.sentTo('POST /api/bulk-acts/preview').at(-1)?.body).toMatchObject({ act: 'ask_key' });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('checkbox', { name: 'Select all that match' }).click();
  await expect
    .element(page.getByRole('region', { name: 'Selection' }))
    .toHaveTextContent(/All that match selected/);
  await page.getByRole('button', { name: 'Ask for new keys' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(server.sentTo('POST /api/bulk-acts/preview').at(-1)?.body).toMatchObject({
    act: 'ask_key',
    matching: { list: 'accounts', except: [] },
  });
});

test('who may only look selects nothing, and staff is told whose accounts these are', async () => {
  const viewer = {
    ...STAFF,
    providers: STAFF.providers.map((each) => ({ ...each, role: 'viewer' as const })),
  };
  await show(listing(FOUR), { user: viewer });
  await expect.element(rowOf('KAIT-1001')).toBeVisible();
  expect(table.getByRole('checkbox').elements()).toEqual([]);
  await expect.element(page.getByText('Those of your providers.')).toBeVisible();
});

test('tabs are walked by keyboard, and the search has its key', async () => {
  const { address } = await show(listing(FOUR));
  await expect.element(table).toBeVisible();
  (tab(/^All/).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(tab(/^Unread/)).toHaveAttribute('aria-selected', 'true');
  expect(document.activeElement).toBe(tab(/^Unread/).element());
  expect(address()).toBe('/accounts?state=unread');
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('/');
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('search');
});

const ARABIC = 'شبكة المتداولين';
test.each([390, 1024, 1440])(
  'names in Arabic and very long ones leave the screen whole at %i px',
  async (width) => {
    const long = 'W'.repeat(200);
    await show(
      listing([
        account(1, { trader: ARABIC, community: ARABIC, provider_name: ARABIC }),
        account(2, { trader: long, community: long, provider_name: long, acc_uid: `0x${'a1'.repeat(20)}` }),
      ]),
      { width },
    );
    const list = width === 390 ? page.getByRole('list', { name: 'Exchange accounts' }) : table;
    await expect.element(list).toHaveTextContent(ARABIC);
    const widths = [document.scrollingElement, document.querySelector('main')].map(
      (each) => each?.scrollWidth,
    );
    for (const each of widths) expect(each).toBeLessThanOrEqual(width);
    expect(
      getComputedStyle(page.getByText(ARABIC).first().element().closest('bdi') as Element).unicodeBidi,
    ).toBe('isolate');
    if (width === 390) await expectAccessible();
  },
);
