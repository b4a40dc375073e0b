import type { CallAnswer } from '@copydesk/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pendingOf } from '../../../../tests/e2e/support/distribute.ts';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { pass } from '../testing/faked-time.ts';
import { type Answers, never, refuse } from '../testing/serve-calls.ts';
import { COMMUNITY, funds, PENDING, showCommunity, toastOf } from '../testing/show-community.ts';
import { idOf, READS_UNDER_WAY, STAFF, showScreen } from '../testing/show-screen.tsx';

type Community = CallAnswer<'GET /api/communities/{id}'>['data'];

const GET = 'GET /api/communities/{id}';
const CHANGE = 'PATCH /api/super-admin/communities/{id}';
const DAYS = 'GET /api/communities/{id}/days';
const ARCHIVE = 'PATCH /api/super-admin/communities/{id}/archive';
const DELETE = 'DELETE /api/super-admin/communities/{id}';
const BALANCE = 'GET /api/communities/{id}/wallet-balance';
const WITHDRAWABLE = 'GET /api/communities/{id}/available-for-withdrawal';
const AT = '2026-01-02T10:00:00.000Z';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

const dialog = page.getByRole('dialog');
const field = dialog.getByRole('textbox');
const save = dialog.getByRole('button', { name: 'Save' });
const settings = page.getByRole('region', { name: 'Settings', exact: true });
const wallets = page.getByRole('region', { name: 'Wallets' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

const answered = (changes: Partial<Community> = {}): Answers => ({
  [GET]: { success: true, data: { ...COMMUNITY, ...changes } },
});
/** What the change of a setting answers. */
const changed = (changes: Partial<Community>) => ({
  success: true as const,
  data: { ...COMMUNITY, ...changes, version: 'fedcba9876543210', owes_shares: false },
});

test('wallets that cannot be read are reported once, and read again on demand', async () => {
  const missing = refuse(404, 'not_found', 'No wallet was found');
  const { server } = await showCommunity({ answers: { [BALANCE]: missing, [WITHDRAWABLE]: missing } });
  await expect.element(wallets.getByRole('alert')).toHaveTextContent(/^No wallet was foundRetry$/);
  expect(wallets.getByText('Unknown').elements()).toHaveLength(4);
  server.answer({
    [BALANCE]: {
      success: true,
      data: { address: ADDRESS, balance: '900', to_consolidate: '0', as_of: AT, frozen_because: null },
    },
    [WITHDRAWABLE]: { success: true, data: { amount: '12.5', payable_count: 1, address: ADDRESS } },
  });
  await wallets.getByRole('button', { name: 'Retry' }).click();
  await expect.element(wallets.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(wallets).toHaveTextContent(/Internal balance900\.00 USDT/);
  await expect.element(wallets).toHaveTextContent(/Available for withdrawal12\.50 USDT/);
});

test('the chart, the figures and the days show payouts below receipts', async () => {
  const { server, address } = await showCommunity({
    answers: {
      [DAYS]: {
        success: true,
        data: [
          { day: '2026-01-01', aum: '1000', pool_capital: '0', received: '400', paid_out: '0' },
          { day: '2026-01-03', aum: '1100', pool_capital: '100', received: '0', paid_out: '250.5' },
          { day: '2026-01-04', aum: '1200', pool_capital: '200', received: '10', paid_out: '49.5' },
        ],
        meta: {
          events: [
            { day: '2026-01-05', provider: 'Aurora', before: '35', after: '29.5' },
            { day: '2026-01-02', provider: null, before: '5', after: '7' },
          ],
        },
      },
    },
  });
  await expect.element(page.getByText(/^Created \d+ (months|years) ago$/)).toBeVisible();
  const panel = page.getByRole('region', { name: 'AUM and Money In and Out', exact: true });
  await expect.element(panel).toHaveTextContent('Received$410.00on 2 days');
  await expect.element(panel).toHaveTextContent('Paid out$300.00on 2 days');
  const chart = page.getByRole('img', {
    name: 'AUM and money in and out from Jan 1, 2026 to Jan 4, 2026',
  });
  await expect.element(chart).toHaveTextContent(/Own accounts\s*In pools/);
  await expect.element(chart).toHaveTextContent(/Received\s*Paid out/);
  // On a day without AUM. A chart that is still being laid out hears nothing of the mouse.
  await expect
    .poll(async () => {
      for (const x of [300, 310]) await userEvent.hover(chart, { position: { x, y: 80 } });
      return chart.element().textContent;
    })
    .toMatch(/Jan 2, 2026AUM N\/A\s*Received \$0\.00\s*Paid out \$0\.00/);
  // Bars are in the middle of their days, and markers above them.
  const [change, later] = panel.getByRole('toolbar', { name: 'Markers' }).getByRole('button').elements();
  expect(change?.textContent).toBe('Jan 2, 2026: 1 change of the split');
  const middle = (element: Element | null | undefined) => {
    const { x = 0, width = 0 } = element?.getBoundingClientRect() ?? {};
    return x + width / 2;
  };
  const lastBar = [...chart.element().querySelectorAll('.recharts-bar path[fill="var(--accent)"]')].at(-1);
  expect(middle(later)).toBeCloseTo(middle(lastBar), 0);
  // One part stands on the other, and both on zero.
  const bar = (color: string, day: number) =>
    chart
      .element()
      .querySelectorAll(`.recharts-bar path[fill="var(--${color})"]`)
      [day]?.getBoundingClientRect();
  const [accounts, pools] = [bar('accent', 2), bar('series-2', 1)];
  expect(pools?.height).toBeCloseTo((accounts?.height ?? 0) / 5, 0);
  expect(pools?.bottom).toBeCloseTo(accounts?.top ?? 0, 0);
  const top = (color: string) =>
    chart.element().querySelector(`.recharts-bar path[fill="var(--${color})"]`)?.getBoundingClientRect().y ??
    0;
  expect(top('positive')).toBeGreaterThan(0);
  expect(top('caution')).toBeGreaterThan(top('positive'));
  await panel.getByText('Show as a table').click();
  const days = page.getByRole('region', { name: 'AUM and money in and out by day' });
  expect(
    days
      .getByRole('columnheader')
      .elements()
      .map((cell) => cell.textContent),
  ).toEqual(['Day', 'AUM', 'Of it in pools', 'Received', 'Paid out', 'Split']);
  await expect
    .element(panel.getByRole('row').nth(2))
    .toHaveTextContent(/^Jan 3, 2026\$1,100\.00\$100\.00\$0\.00\$250\.50$/);
  await expect
    .element(panel.getByRole('row').nth(3))
    .toHaveTextContent(/^Jan 2, 2026N\/AN\/A\$0\.00\$0\.00Community 5% to 7%$/);
  // A change after the last day is told with it.
  await expect.element(panel.getByRole('row').nth(1)).toHaveTextContent(/\$49\.50Aurora 35% to 29\.5%$/);

  await panel.getByText('1 year', { exact: true }).click();
  await expect.poll(address).toContain('range=1y');
  await expect.poll(() => server.sentTo(DAYS).length).toBe(2);
  const { from = '', to = '' } = server.sentTo(DAYS)[1]?.query ?? {};
  expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(300 * 86_400_000);
});

test('a change of the split is marked above its point of the AUM', async () => {
  await showCommunity({
    answers: {
      [DAYS]: {
        success: true,
        data: [1, 2, 3, 4, 5, 6].map((day) => ({
          day: `2026-01-0${day}`,
          aum: `${1000 + day}`,
          ...{ pool_capital: '0', received: '0', paid_out: '0' },
        })),
        meta: { events: [{ day: '2026-01-03', provider: null, before: '5', after: '7' }] },
      },
    },
  });
  const chart = page.getByRole('img', { name: /^AUM and money in and out from/ });
  await expect.element(chart).toBeVisible();
  const points = () => {
    const line = chart.element().querySelector('.recharts-area-curve');
    const from = line?.closest('svg')?.getBoundingClientRect().x ?? 0;
    return [...(line?.getAttribute('d') ?? '').matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => from + Number(x));
  };
  await expect.poll(() => points().length).toBe(6);
  const marker = page.getByRole('button', { name: 'Jan 3, 2026: 1 change of the split' });
  const { x, width } = marker.element().getBoundingClientRect();
  expect(Math.abs(x + width / 2 - (points()[2] ?? 0))).toBeLessThan(1);
  await marker.hover();
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Community 5% to 7%');
  await expectAccessible();
});

test('days that failed to load are read again on demand', async () => {
  const { server } = await showCommunity({ answers: { [DAYS]: refuse(500, 'internal_error', 'Broken') } });
  const failed = page.getByRole('alert').filter({ hasText: 'The figures could not be loaded' });
  await expect.element(failed).toHaveTextContent('Broken');
  server.answer({
    [DAYS]: {
      success: true,
      data: [{ day: '2026-01-01', aum: '1000', pool_capital: '0', received: '400', paid_out: '0' }],
      meta: { events: [] },
    },
  });
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('img', { name: /^AUM and money in and out from/ })).toBeVisible();
});

test('without an external address it says so', async () => {
  const external = {
    address: null,
    balance: null,
    balance_read_at: null,
    balance_missing: 'no_address' as const,
  };
  await showCommunity({ answers: answered({ wallets: { ...COMMUNITY.wallets, external } }) });
  await expect.element(wallets.getByText('No external address set')).toBeVisible();
});

test('the split is previewed, held against what is left beside the providers, and sent once', async () => {
  const providers = [
    { id: idOf(31), display_name: 'Aurora Signals', payment_split_percentage: 0.35 },
    { id: idOf(32), display_name: 'Meridian Capital', payment_split_percentage: 0.4 },
  ];
  const { server } = await showCommunity({
    answers: { ...answered({ providers }), [CHANGE]: changed({ split_percentage: 6.25 }) },
  });
  await button('About the split percentage').click();
  await expect
    .element(page.getByRole('tooltip'))
    .toHaveTextContent(/^This percentage is of the full amount invoiced from traders\.$/);
  await button('Edit split percentage').click();
  await expect.element(dialog).toHaveAccessibleName('Edit Split Percentage');
  await expect.element(field).toHaveFocus();
  await field.fill('101');
  await save.click();
  await expect.element(dialog).toHaveTextContent('Enter a number from 0 to 100');
  await field.fill('99');
  const rows = dialog.getByRole('row');
  await expect.poll(() => rows.filter({ hasText: 'More than the invoice' }).elements()).toHaveLength(2);
  await save.click();
  await expect.element(dialog).toHaveTextContent('At most 60% is left beside Meridian Capital');
  await field.fill('6.25');
  await expect.element(rows.nth(1)).toHaveTextContent('6.25was');
  expect(rows.elements()).toHaveLength(3);
  expect(server.sentTo(CHANGE)).toEqual([]);
  server.answer(answered({ providers, split_percentage: 6.25, version: 'fedcba9876543210' }));
  await userEvent.dblClick(save);
  await expect.element(toastOf('Split Percentage updated')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(settings.getByText('6.25%', { exact: true })).toBeVisible();
  await expect.element(button('Edit split percentage')).toHaveFocus();
  expect(server.sentTo(CHANGE)).toMatchObject([
    {
      params: { id: COMMUNITY.id },
      body: { split_percentage: 6.25, version: COMMUNITY.version },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
});

test('the minimum balance is a whole number, and the present value is not sent', async () => {
  const { server } = await showCommunity({
    answers: { ...answered(), [CHANGE]: changed({ minimum_balance: 12345 }) },
  });
  await button('Edit minimum balance').click();
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(toastOf('No changes to save')).toBeVisible();
  await button('Edit minimum balance').click();
  await field.fill('0.5');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toHaveTextContent('Enter a whole number of at least 1');
  expect(server.sentTo(CHANGE)).toEqual([]);
  await field.fill('12345');
  server.answer(answered({ minimum_balance: 12345 }));
  await save.click();
  await expect.element(settings.getByText('12,345 USDT', { exact: true })).toBeVisible();
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toMatchObject([{ minimum_balance: 12345 }]);
});

test('a refused address is reported beside its field, and an empty one is none', async () => {
  const { server } = await showCommunity({
    answers: {
      ...answered({ referrer_wallet_address: ADDRESS }),
      [CHANGE]: refuse(400, 'validation_failed', 'Invalid request', [
        { path: 'referrer_wallet_address', message: 'not an EVM address' },
      ]),
    },
  });
  await expect.element(settings.getByTitle(ADDRESS)).toBeVisible();
  await button('Edit referrer wallet address').click();
  await field.fill('bob');
  await save.click();
  await expect.element(dialog).toHaveTextContent('not an EVM address');
  server.answer({ ...answered(), [CHANGE]: changed({}) });
  await field.fill('');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(settings.getByText('Referrer').first()).toBeVisible();
  await expect.element(settings.getByText('Not set', { exact: true }).first()).toBeVisible();
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toMatchObject([
    { referrer_wallet_address: 'bob' },
    { referrer_wallet_address: null },
  ]);
});

test('archiving and deleting ask first, and show the refusal where the question was', async () => {
  const { server } = await showCommunity({
    answers: {
      ...answered(),
      [ARCHIVE]: refuse(409, 'community_has_aum', 'AUM is not zero'),
      [DELETE]: refuse(409, 'community_has_traders', 'It has traders'),
    },
  });
  await button('Archive').click();
  await expect
    .element(dialog)
    .toHaveTextContent(
      `Are you sure you want to archive ${COMMUNITY.name}? This action can only be performed if the community has 0 AUM.`,
    );
  expect(server.sentTo(ARCHIVE)).toEqual([]);
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(
      /^Cannot archive a community with non-zero AUM\. Please ensure all funds are withdrawn first\.$/,
    );
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await button('Delete').click();
  await expect
    .element(dialog)
    .toHaveTextContent(
      `Are you sure you want to permanently delete ${COMMUNITY.name}? This action can only be performed if the community has no traders.`,
    );
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  await confirm.click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(/^Cannot delete a community with active traders\. Please remove all traders first\.$/);
  // Every other obstacle is listed.
  server.answer({
    [DELETE]: refuse(409, 'delete_community_failed', 'Failed to delete community', [
      { path: 'invoices', message: 'it has invoices' },
    ]),
  });
  await confirm.click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(/^Failed to delete community: it has invoices$/);
});

test('archived and deleted: the messages, and the next screen', async () => {
  const { server, address } = await showCommunity({
    answers: {
      ...answered(),
      [ARCHIVE]: changed({ is_archived: true }),
      [DELETE]: { success: true, data: { id: COMMUNITY.id } },
    },
  });
  await button('Archive').click();
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect.element(toastOf('Community has been successfully archived.')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await button('Delete').click();
  server.answer({ 'GET /api/communities': { success: true, data: [], meta: { totals_at: null } } });
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(toastOf('Community has been successfully deleted.')).toBeVisible();
  await expect.poll(address).toBe('/communities');
});

test('a missing community is not found, and a nonsensical id is not sent', async () => {
  const { unmount } = await showCommunity({ answers: { [GET]: refuse(404, 'not_found', 'Not found') } });
  const missing = page.getByRole('heading', { name: 'Community Not Found' });
  await expect.element(missing).toBeVisible();
  await unmount();
  const { server, address } = await showScreen('/community-settings/nonsense', { answers: READS_UNDER_WAY });
  await expect.element(missing).toBeVisible();
  expect(server.sentTo(GET)).toEqual([]);
  await button('Back').click();
  await expect.poll(address).toBe('/communities');
});

test('staff are denied the settings without a request', async () => {
  const { server, address } = await showCommunity({ user: STAFF });
  await expect.element(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  expect(server.sentTo(GET)).toEqual([]);
  await button('Back').click();
  await expect.poll(address).toBe('/communities');
});

test('a server that does not answer within 10 s is reported, and asked again on demand', async () => {
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { server } = await showCommunity({ answers: { [PENDING]: never } });
  await expect.element(funds.opener).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const since = Date.now();
  await funds.opener.click();
  await expect.poll(() => server.sentTo(PENDING).length).toBe(1);
  // Waiting for what shows moves the faked time.
  await pass(9_900 - (Date.now() - since));
  expect(funds.dialog.element().textContent).not.toContain('did not answer');
  await pass(200);
  await expect.element(funds.dialog).toHaveTextContent('did not answer within 10 seconds');
  vi.useRealTimers();
  server.answer({ [PENDING]: pendingOf() });
  await funds.button('Retry').click();
  await expect.element(funds.dialog).not.toHaveTextContent('did not answer');
});
