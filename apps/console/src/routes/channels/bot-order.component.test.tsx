import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Order } from '../../features/bots/bot-queries.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { AT, invoiceDetailOf } from '../../testing/show-invoices.ts';
import { idOf, READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const ORDER = 'GET /api/exchange-bot/invoices/{id}';
const INVOICE = 'GET /api/invoices/{id}';
const ID = idOf(7);
const order = (over: Partial<Order> = {}): Order => ({
  id: ID,
  trader_id: idOf(8),
  trader_name: 'Ada Berg',
  telegram_username: 'ada',
  telegram_user_id: '700700',
  status: 'paid',
  is_awaiting_approval: false,
  cancelled_because: null,
  plan_id: idOf(9),
  plan_name: 'One month',
  days: 30,
  price: '49',
  amount: '44.1',
  paid_amount: '44.1',
  credited_amount: null,
  community_percentage: '85',
  coupon_code: 'WELCOME10',
  discount_amount: '4.9',
  payment_address: `0x${'ab'.repeat(20)}`,
  expires_at: '2026-01-03T10:00:00.000Z',
  access_from: '2026-01-02T11:00:00.000Z',
  access_until: '2026-02-01T11:00:00.000Z',
  created_at: AT,
  bot_id: idOf(10),
  bot_username: 'harbor_bot',
  community_id: idOf(11),
  community: 'Blue Harbor',
  sold_at: '2026-01-02T11:00:00.000Z',
  ended_at: null,
  revived_at: null,
  ...over,
});
const invoice = (): CallAnswer<typeof INVOICE> => ({
  success: true,
  data: invoiceDetailOf({
    payments: [{ amount: '44.1', tip: '0', transaction_hash: `0x${'cd'.repeat(32)}`, received_at: AT }],
  }),
});
const show = (shown: Order | unknown, { width = 1440, money = invoice() as unknown } = {}) =>
  showScreen(`/bots/orders/${ID}`, {
    width,
    answers: {
      ...READS_UNDER_WAY,
      [ORDER]: (typeof shown === 'object' && shown && 'plan_id' in shown
        ? { success: true, data: shown }
        : shown) as never,
      [INVOICE]: money as never,
    },
  });
const main = page.getByRole('main');
const steps = () =>
  main
    .getByRole('list', { name: 'Progress of the order' })
    .getByRole('listitem')
    .elements()
    .map((step) => step.textContent);

test('an order says who bought what, what was paid, how far it is, and leads to all of it', async () => {
  await show(order());
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Order of Ada Berg');
  expect(steps().map((step) => step?.replace(/(from )?Jan.*|Feb.*/, ''))).toEqual([
    'Ordered, done',
    'Paid, done',
    'Access, done',
    'Access ended, done',
  ]);
  const facts = main.getByRole('region', { name: 'Order' });
  await expect
    .element(facts)
    .toHaveTextContent(/Price49\.00 USDTCoupon WELCOME10−4\.90 USDTTo pay44\.10 USDT/);
  for (const [name, to] of [
    ['Ada Berg', `/trader/${idOf(8)}`],
    ['@harbor_bot', `/community-settings/${idOf(11)}/bot`],
    ['Blue Harbor', `/community-settings/${idOf(11)}`],
    ['To Telegram ID 700700', `/messages/bots?community=${idOf(11)}&search=700700`],
    [ID.slice(0, 8), `/invoices/${ID}`],
  ] as const)
    await expect.element(facts.getByRole('link', { name, exact: true })).toHaveAttribute('href', to);
  await expect.element(main.getByRole('region', { name: 'Payments' })).toHaveTextContent('$44.1');
  await expect
    .element(main.getByRole('region', { name: 'Timeline' }))
    .toHaveTextContent('Nothing is on record yet');
  await expectAccessible();
});

test.each([
  [
    { status: 'pending', sold_at: null, paid_amount: '0', access_from: null, access_until: null },
    'Waits for payment, running',
  ],
  [
    { status: 'pending', sold_at: null, paid_amount: '5', access_from: null, access_until: null },
    'Partly paid, running',
  ],
  [
    {
      status: 'cancelled',
      cancelled_because: 'expired',
      sold_at: null,
      ended_at: AT,
      access_from: null,
      access_until: null,
    },
    'Expired, failed',
  ],
  [
    {
      status: 'cancelled',
      cancelled_because: 'staff',
      sold_at: null,
      ended_at: null,
      access_from: null,
      access_until: null,
    },
    'Cancelled, failed',
  ],
] as const)('its second step is what came of it: %o', async (over, step) => {
  await show(order(over));
  await expect.poll(() => steps()[1]).toContain(step);
  // What Telegram or time decided has no menu.
  expect(main.getByRole('button', { name: /^Actions for/ }).elements()).toHaveLength(
    over.status === 'cancelled' ? 0 : 1,
  );
});

test('an open order is cancelled from its page', async () => {
  const open = order({
    status: 'pending',
    sold_at: null,
    paid_amount: '0',
    access_from: null,
    access_until: null,
  });
  await show(open);
  await main.getByRole('button', { name: 'Actions for the order of Ada Berg' }).click();
  await page.getByRole('menuitem', { name: 'Cancel order' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Cancel order' })).toBeVisible();
  await expectAccessible();
});

test('what cannot be loaded says so, and the rest is there', async () => {
  await show(order(), { money: refuse(503, 'query_timeout', 'This took too long.') });
  await expect.element(main.getByText('The payments could not be loaded')).toBeVisible();
  await expect.element(main.getByRole('region', { name: 'Order' })).toHaveTextContent('One month');
});

test('an order that is not there leads back to the bots', async () => {
  await show(refuse(404, 'not_found', 'No such order.'));
  await expect.element(main.getByText('Order not found')).toBeVisible();
  await expect.element(main.getByRole('link', { name: 'Bots' })).toHaveAttribute('href', '/bots');
});

test('on a phone nothing scrolls sideways, whatever names are written in', async () => {
  await show(
    order({ trader_name: 'ستارگان آبی '.repeat(9), plan_name: 'Ж'.repeat(120), community: 'W'.repeat(90) }),
    {
      width: 390,
    },
  );
  await expect.element(main.getByRole('region', { name: 'Order' })).toBeVisible();
  const shown = document.querySelector('main') as HTMLElement;
  expect(shown.scrollWidth - shown.clientWidth).toBe(0);
  await expectAccessible();
});
