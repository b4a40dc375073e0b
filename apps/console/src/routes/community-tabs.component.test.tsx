import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { refuse } from '../testing/serve-calls.ts';
import { COMMUNITY, NONE, showCommunity } from '../testing/show-community.ts';
import { idOf } from '../testing/show-screen.tsx';

const TRADERS = 'GET /api/communities/{id}/traders';
const STATS = 'GET /api/communities/{id}/stats';
const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const regions = () =>
  [...document.querySelectorAll('[role=tabpanel] section > div > h2')].map(
    (title) => title.firstChild?.textContent,
  );
const selected = () =>
  page
    .getByRole('tab')
    .elements()
    .filter((each) => each.ariaSelected === 'true')
    .map((each) => each.textContent);

/** The calls of the parts, by tab. Those of the frame and of the record are asked for on all of them. */
const OF_TABS = {
  traders: [TRADERS, 'GET /api/communities/{id}/signups', 'GET /api/communities/{id}/vip/stats'],
  money: ['GET /api/super-admin/communities/{id}/distributions', STATS],
  pool: ['GET /api/pooled-accounts'],
  bot: ['GET /api/exchange-bot/community/{id}'],
  settings: [
    'GET /api/communities/{id}/subscription',
    'GET /api/communities/{id}/providers',
    'GET /api/super-admin/communities/{id}/split-history',
  ],
} as const;
const ALL = Object.values(OF_TABS).flat();

test.each([
  ['', 'Overview', ['Settings', 'Wallets', 'AUM and Money In and Out', 'Archive or delete'], []],
  ['?tab=traders', 'Traders', ['Traders', 'Sign-ups', 'VIP Levels'], OF_TABS.traders],
  ['?tab=money', 'Money', ['Wallets', 'Payout Addresses', 'Invoices', 'Distributions'], OF_TABS.money],
  ['?tab=pool', 'Pool', ['Pooled Account'], OF_TABS.pool],
  ['?tab=bot', 'Bot', ['Exchange Bot'], OF_TABS.bot],
  [
    '?tab=settings',
    'Settings',
    ['Settings', 'Subscription', 'Providers', 'Settings History', 'Archive or delete'],
    OF_TABS.settings,
  ],
  ['?tab=nonsense', 'Overview', ['Settings', 'Wallets', 'AUM and Money In and Out', 'Archive or delete'], []],
  [
    '?checkout=done',
    'Settings',
    ['Settings', 'Subscription', 'Providers', 'Settings History', 'Archive or delete'],
    OF_TABS.settings,
  ],
] as const)('%s is %s, and asks for its own parts only', async (search, name, titles, calls) => {
  const { server } = await showCommunity({}, search);
  await expect.poll(selected).toEqual([name]);
  await expect.poll(() => regions().toSorted()).toEqual([...titles].toSorted());
  const asked = ALL.filter((key) => server.sentKeys().includes(key));
  expect(asked.toSorted()).toEqual([...calls].toSorted());
});

test('tabs are chosen by mouse and arrows, stand in the address, and add no step', async () => {
  const { address } = await showCommunity({}, '?range=1y');
  await tab('Money').click();
  await expect.poll(address).toBe(`/community-settings/${COMMUNITY.id}?range=1y&tab=money`);
  await expect.element(page.getByRole('tabpanel')).toHaveAccessibleName('Money');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(tab('Bot')).toHaveFocus();
  await expect.poll(selected).toEqual(['Bot']);
  await userEvent.keyboard('{End}{ArrowRight}');
  await expect.element(tab('Overview')).toHaveFocus();
  await expect.poll(address).toBe(`/community-settings/${COMMUNITY.id}?range=1y`);
  await expect.element(tab('Settings')).toHaveAttribute('tabindex', '-1');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(address).toBe('/communities');
});

type Trader = CallAnswer<typeof TRADERS>['data'][number];
const trader = (index: number, changes: Partial<Trader> = {}): Trader => ({
  id: idOf(100 + index),
  name: null,
  telegram_username: `trader_${index}`,
  reference_number: `KAIT-${1000 + index}`,
  status: 'connected',
  created_at: '2026-01-02T10:00:00.000Z',
  aum: 12_345.6,
  aum_read_at: '2026-01-02T10:00:00.000Z',
  aum_is_part: false,
  ...changes,
});

test('the traders of a community, a page at a time, with the way to the list', async () => {
  const { server } = await showCommunity(
    {
      answers: {
        [TRADERS]: ({ query }) => ({
          success: true,
          data:
            query.offset === '0'
              ? [trader(0), trader(1, { reference_number: null, status: 'delinquent', aum: null })]
              : [trader(10)],
          meta: { total: 11 },
        }),
      },
    },
    '?tab=traders',
  );
  const panel = page.getByRole('region', { name: /^Traders/ });
  const row = (nth: number) => panel.getByRole('row').nth(nth);
  await expect.element(row(1)).toHaveTextContent('KAIT-1000trader_0$12,346ConnectedJan 2, 2026');
  await expect.element(row(2)).toHaveTextContent('N/Atrader_1N/ADelinquent');
  await expect
    .element(row(1).getByRole('link', { name: 'trader_0' }))
    .toHaveAttribute('href', `/trader/${idOf(100)}`);
  await expect
    .element(panel.getByRole('link', { name: 'Show in Traders' }))
    .toHaveAttribute('href', `/?community=${COMMUNITY.id}&tab=all`);
  await expectAccessible();
  await panel.getByRole('button', { name: 'Next page' }).click();
  await expect.element(row(1)).toHaveTextContent('KAIT-1010');
  expect(server.sentTo(TRADERS).map(({ query }) => query.offset)).toEqual(['0', '10']);
});

test('a community without traders says so, and a list that failed is read again', async () => {
  const { server } = await showCommunity({ answers: { [TRADERS]: refuse(500) } }, '?tab=traders');
  const panel = page.getByRole('region', { name: /^Traders/ });
  await expect.element(panel.getByRole('alert')).toHaveTextContent('The traders could not be loaded');
  server.answer({ [TRADERS]: NONE });
  await panel.getByRole('button', { name: 'Retry' }).click();
  await expect.element(panel).toHaveTextContent('No traders yet');
});

const PROVIDER = { id: idOf(31), display_name: 'Aurora Signals', payment_split_percentage: 0.35 };
const UNPAID = { id: idOf(32), display_name: 'Zenith', payment_split_percentage: 0.2 };
const directory = (id: string, payout_address: string | null) => ({
  id,
  name: id,
  display_name: id,
  payment_split_percentage: 0.2,
  supported_exchanges: [],
  is_active: true,
  invoicing_enabled: true,
  payout_address,
});

test('the money of a community: its addresses by recipient, and the sums of its invoices', async () => {
  const address = `0x${'12'.repeat(20)}`;
  await showCommunity(
    {
      answers: {
        'GET /api/communities/{id}': {
          success: true,
          data: {
            ...COMMUNITY,
            providers: [
              PROVIDER,
              UNPAID,
              { id: null, display_name: 'No provider', payment_split_percentage: 0.7 },
            ],
          },
        },
        'GET /api/providers': {
          success: true,
          data: [directory(PROVIDER.id, address), directory(UNPAID.id, null)],
        },
        'GET /api/super-admin/providers/{id}/payout-address': { success: true, data: null },
        [STATS]: {
          success: true,
          data: {
            trader_count: 12,
            counts: { inbox: 0, connected: 12, delinquent: 0 },
            total_aum: '1000',
            invoices: {
              count: 40,
              unpaid_count: 2,
              amount: '1234.5',
              paid_amount: '1200',
              unpaid_amount: '34.5',
            },
          },
        },
      },
      height: 1200,
    },
    '?tab=money',
  );
  const addresses = page.getByRole('region', { name: 'Payout Addresses' });
  await expect.element(addresses.getByTitle(address)).toBeVisible();
  await expect.element(addresses).toHaveTextContent('ReferrerNot set: no share');
  await expect.element(addresses).toHaveTextContent('ZenithNot set: its shares wait');
  await expect.element(addresses).not.toHaveTextContent('No provider');
  const invoices = page.getByRole('region', { name: 'Invoices' });
  await expect
    .element(invoices)
    .toHaveTextContent('Invoices40Invoiced1,234.50 USDTPaid1,200.00 USDTOutstanding34.50 USDT2 invoices');
  await expect
    .element(invoices.getByRole('link', { name: 'Show in Invoices' }))
    .toHaveAttribute('href', `/invoices?community=${COMMUNITY.id}`);
  await expectAccessible();
});
