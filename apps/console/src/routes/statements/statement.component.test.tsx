import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const BALANCES = 'GET /api/statements/balances';
const STATEMENT = 'GET /api/statements';
const ID = idOf(2000);
const AT = '2026-10-03T10:00:00.000Z';
const main = page.getByRole('main');
const movements = main.getByRole('table', { name: 'Movements' });

const balances: CallAnswer<typeof BALANCES> = {
  success: true,
  data: {
    owner: 'Ada Berg',
    balances: [
      { account: 'receivable', asset: 'USDT', accounts: 12, balance: '50.000001' },
      { account: 'trader_deposit', asset: 'USDT', accounts: 1, balance: '0' },
      { account: 'gas_wallet', asset: 'BNB', accounts: 1, balance: '0.25' },
    ],
    not_booked: { invoices: 2, amount: '70.5' },
  },
};
const moved = (
  n: number,
  changes: Partial<CallAnswer<typeof STATEMENT>['data'][number]> = {},
): CallAnswer<typeof STATEMENT>['data'][number] => ({
  ...{ id: String(n), journal_id: idOf(n), at: AT, kind: 'invoice_issued', change: '80', balance: '80' },
  ...{
    source_type: 'invoice',
    source_id: idOf(7),
    invoice_id: idOf(7),
    actor_name: 'worker',
    reverses: null,
  },
  ...changes,
});
const statement: CallAnswer<typeof STATEMENT> = {
  success: true,
  data: [moved(2, { kind: 'invoice_paid', change: '-30', balance: '50.000001' }), moved(1)],
  meta: { total: 2, opening: '0.000001', increase: '80', decrease: '30', closing: '50.000001' },
};

const show = (
  answers: Answers = {},
  { at = '', user = SUPER_ADMIN, width = 1440, of = `trader/${ID}` } = {},
) =>
  showScreen(`/statements/${of}${at}`, {
    user,
    width,
    answers: {
      ...READS_UNDER_WAY,
      [BALANCES]: balances,
      [STATEMENT]: statement,
      ...answers,
    } as Answers,
  });

test('what an owner has, and the movements that led there, with the way to each invoice', async () => {
  const { server } = await show();
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Statement of Ada Berg');
  await expect
    .element(main.getByRole('button', { name: /Owed on invoices/, pressed: true }))
    .toHaveTextContent('12 invoices');
  await expect.element(main.getByRole('button', { name: /Coin for network fees/ })).toHaveTextContent('BNB');
  const rows = movements.getByRole('row');
  await expect.element(rows.nth(1)).toHaveTextContent(/Invoice paid.*worker−30\.0050\.00/);
  await expect.element(rows.nth(2)).toHaveTextContent(/Invoiced.*\+80\.0080\.00/);
  await expect
    .element(rows.nth(2).getByRole('link', { name: 'Invoiced' }))
    .toHaveAttribute('href', `/invoices/${idOf(7)}`);
  await expect.element(main.getByText('Opening balance')).toBeVisible();
  await expect
    .element(main.getByRole('status').filter({ hasText: 'imported' }))
    .toHaveTextContent('70.50 USDT more is owed on 2 imported invoices that the books do not have yet');
  await expect.element(main.getByRole('link', { name: 'Trader' })).toHaveAttribute('href', `/trader/${ID}`);
  expect(server.sentTo(STATEMENT).map(({ query }) => query)).toMatchObject([
    { owner_kind: 'trader', owner_id: ID, account: 'receivable', asset: 'USDT', limit: '50', offset: '0' },
  ]);
  await expectAccessible();
});

test('another account, and a month, are asked for and stand in the URL', async () => {
  const { server, address } = await show();
  await main.getByRole('button', { name: /Coin for network fees/ }).click();
  await expect.poll(address).toBe(`/statements/trader/${ID}?account=gas_wallet&asset=BNB`);
  await main.getByRole('combobox', { name: 'Month (UTC)' }).selectOptions('2026-07');
  await expect
    .poll(() => server.sentTo(STATEMENT).at(-1)?.query)
    .toMatchObject({
      ...{ account: 'gas_wallet', asset: 'BNB' },
      ...{ from: '2026-07-01T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z' },
    });
  expect(server.sentTo(BALANCES).at(-1)?.query).toMatchObject({ at: '2026-08-01T00:00:00.000Z' });
  await expect.element(main.getByRole('heading', { name: 'Balances at the end' })).toBeVisible();
});

test('the platform has no id, and kinds of an import are readable', async () => {
  const { server } = await show(
    { [STATEMENT]: { ...statement, data: [moved(1, { kind: 'old_books_opened', invoice_id: null })] } },
    { of: 'platform/own' },
  );
  await expect.element(movements).toHaveTextContent('Old books opened');
  await expect
    .element(main.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Statement of the platform');
  expect(server.sentTo(BALANCES)[0]?.query).toEqual({ owner_kind: 'platform' });
});

test('a month without movements, and an owner without books, say so', async () => {
  const none = { total: 0, opening: '50', increase: '0', decrease: '0', closing: '50' };
  await show({ [STATEMENT]: { success: true, data: [], meta: none } }, { at: '?month=2026-02' });
  await expect.element(main.getByText('Nothing was booked in this month')).toBeVisible();
  expect(main.getByRole('button', { name: 'Export CSV' }).elements()).toEqual([]);
});

test('an owner without books says so', async () => {
  await show({ [BALANCES]: { success: true, data: { owner: 'Ada Berg', balances: [], not_booked: null } } });
  await expect.element(main.getByText('Nothing was ever booked for it.')).toBeVisible();
});

test.each([
  ['one that is not there', 404, 'not_found', 'Nothing to state'],
  ['an outage', 503, 'unavailable', 'The statement could not be loaded'],
])('%s', async (_, status, code, title) => {
  await show({ [BALANCES]: refuse(status, code, 'No answer') });
  await expect.element(main.getByRole('heading', { name: title })).toBeVisible();
});

test('is for super admins', async () => {
  await show({}, { user: STAFF });
  await expect.element(main.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});

test('at phone width nothing is wider than the screen', async () => {
  await show(
    { [BALANCES]: { ...balances, data: { ...balances.data, owner: 'W'.repeat(150) } } },
    { width: 390 },
  );
  await expect.element(main.getByRole('list', { name: 'Movements' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});
