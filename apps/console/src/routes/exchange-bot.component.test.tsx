import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { COMMUNITY } from '../testing/show-community.ts';
import { idOf, READS_UNDER_WAY, type Shown, SUPER_ADMIN, showScreen } from '../testing/show-screen.tsx';

const SALES = 'GET /api/exchange-bot/{id}/sales';
const SUBSCRIBERS = 'GET /api/exchange-bot/{id}/subscribers';
const KEEP = 'PUT /api/me/lists/{list}';
const AT = '2026-01-02T10:00:00.000Z';

const saleOf = (n: number): CallAnswer<typeof SALES>['data'][number] => ({
  id: idOf(n),
  trader_id: idOf(100 + n),
  trader_name: `Buyer ${n}`,
  telegram_username: null,
  status: 'pending',
  is_awaiting_approval: false,
  cancelled_because: null,
  plan_id: idOf(50),
  plan_name: 'Monthly',
  days: 30,
  price: '25',
  amount: '25',
  paid_amount: '0',
  credited_amount: null,
  community_percentage: '70',
  coupon_code: null,
  payment_address: `0x${'ab'.repeat(20)}`,
  expires_at: AT,
  access_from: null,
  access_until: null,
  created_at: AT,
});

const orders = page.getByRole('table', { name: 'Orders, newest first' });
const subscribers = page.getByRole('table', { name: 'Subscribers, the next to end first' });
const columnsBox = page.getByRole('dialog', { name: 'Columns' });
const headersOf = (table: typeof orders) =>
  table
    .getByRole('columnheader')
    .elements()
    .map(({ textContent }) => textContent);

const showBot = (search = '', shown: Shown = {}) =>
  showScreen(`/community-settings/${COMMUNITY.id}/bot${search}`, {
    ...shown,
    answers: {
      ...READS_UNDER_WAY,
      'GET /api/communities/{id}': { success: true, data: COMMUNITY },
      'GET /api/exchange-bot/community/{id}': {
        success: true,
        data: {
          id: idOf(7),
          community_id: COMMUNITY.id,
          telegram_id: '700',
          username: 'harbor_bot',
          name: 'Harbor',
          language: 'en',
          is_active: true,
          problem: null,
          checked_at: AT,
          read_at: AT,
          reading_problem: null,
          reading_problem_at: null,
          created_at: AT,
        },
      },
      [SALES]: ({ query }) => {
        const rows = Math.min(Number(query.limit ?? 25), 30);
        const data = Array.from({ length: rows }, (_, row) => saleOf(1 + row + Number(query.offset ?? 0)));
        return { success: true, data, meta: { total: 30 } };
      },
      [SUBSCRIBERS]: {
        success: true,
        data: [
          {
            trader_id: idOf(101),
            trader_name: 'Buyer 1',
            telegram_username: null,
            plan_name: 'Monthly',
            access_until: AT,
          },
        ],
        meta: { total: 1 },
      },
      'GET /api/saved-views': { success: true, data: [] },
      [KEEP]: ({ body }) => ({
        success: true,
        data: {
          order: [...body.order],
          hidden: [...body.hidden],
          widths: { ...body.widths },
          pinned: body.pinned,
          version: '0123456789abcdef',
        },
      }),
      ...shown.answers,
    },
  });

test('orders have their state, page and size in the address', async () => {
  const { address, server } = await showBot('?state=paid&page=2');
  await expect.element(orders.getByText('Buyer 11', { exact: true })).toBeVisible();
  expect(server.sentTo(SALES).map(({ query }) => query)).toEqual([
    { status: 'paid', limit: '10', offset: '10' },
  ]);
  await expect.element(page.getByRole('radio', { name: 'Paid' })).toBeChecked();
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOptions('25');
  await expect.poll(address).toBe(`/community-settings/${COMMUNITY.id}/bot?state=paid&rows=25`);
  await expect.element(orders.getByText('Buyer 25', { exact: true })).toBeInTheDocument();
  await expect
    .element(orders.getByRole('link', { name: 'Invoice of Buyer 25: 25.00 USDT' }))
    .toHaveAttribute('href', `/invoices/${idOf(25)}`);
  await expectAccessible();
});

test('the columns of orders and of subscribers are arranged apart, and kept for the person', async () => {
  const lists = {
    sales: { order: [], hidden: ['plan'], widths: {}, pinned: null, version: '00000000000000aa' },
  };
  const { server } = await showBot('', { user: { ...SUPER_ADMIN, lists } });
  await expect.element(orders.getByText('Buyer 1', { exact: true })).toBeVisible();
  expect(headersOf(orders)).toEqual([
    'Buyer',
    'Amount (USDT)',
    'State',
    'Ordered',
    'Access until',
    'Actions',
  ]);
  expect(headersOf(subscribers)).toEqual(['Subscriber', 'Last plan', 'Access until']);
  await page.getByRole('button', { name: 'Columns', exact: true }).first().click();
  await columnsBox.getByRole('checkbox', { name: 'Show Ordered' }).click();
  await expect.poll(() => headersOf(orders)).not.toContain('Ordered');
  await expect
    .poll(() => server.sentTo(KEEP).map(({ params, body }) => ({ params, body })))
    .toMatchObject([
      { params: { list: 'sales' }, body: { hidden: ['plan', 'ordered'], version: '00000000000000aa' } },
    ]);
  expect(headersOf(subscribers)).toContain('Access until');
});

test('a view of the orders is saved, and the list opens with the one that was chosen', async () => {
  const view = { id: idOf(9), query: 'state=cancelled', layout: null };
  const { address, server } = await showBot('', {
    user: { ...SUPER_ADMIN, default_views: { sales: view } },
    answers: {
      'POST /api/saved-views': {
        success: true,
        data: {
          id: idOf(9),
          screen: 'sales',
          name: 'Mine',
          query: 'state=cancelled',
          layout: null,
          is_shared: false,
          is_own: true,
          shared_by: null,
          is_default: false,
          created_at: AT,
        },
      },
    },
  });
  await expect.poll(address).toBe(`/community-settings/${COMMUNITY.id}/bot?state=cancelled&saved=${idOf(9)}`);
  await page.getByRole('button', { name: /^Views/ }).click();
  const box = page.getByRole('dialog', { name: 'Saved views' });
  await box.getByRole('textbox', { name: 'Name of the view' }).fill('Mine');
  await box.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => server.sentTo('POST /api/saved-views').map(({ body }) => body))
    .toMatchObject([{ screen: 'sales', name: 'Mine', query: 'state=cancelled' }]);
});

test('on a phone orders are cards', async () => {
  await showBot('', { width: 390 });
  await expect
    .element(page.getByRole('list', { name: 'Orders, newest first' }).getByText('Buyer 1', { exact: true }))
    .toBeVisible();
  await expectAccessible();
});
