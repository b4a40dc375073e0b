import { formatCount, formatDate, formatWholeUsd } from '@copydesk/domain/money';
import { dashboardFigures } from '@copydesk/domain/pools';
import { expectAccessible } from '../support/accessibility.ts';
import { withoutNews } from '../support/news.ts';
import { answerPools, somePool } from '../support/pools.ts';
import { listCommunities, superAdminScreen } from '../support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// Several states are checked in one visit, some of them with axe.
test.describe.configure({ timeout: 120_000 });

test('the figures, the pools and the communities are those of the API', async ({ page, api }) => {
  const all = await listCommunities(api);
  const active = all.filter(({ is_archived }) => !is_archived);
  const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
  const { data: sums } = await api.call('GET /api/pooled-accounts/global/harvest/status');
  const figures = dashboardFigures(
    all.map((community) => ({
      name: community.name,
      isArchived: community.is_archived,
      totalAum: community.total_aum,
      traderCount: community.trader_count,
      splitPercentage: String(community.split_percentage),
    })),
  );
  const screen = superAdminScreen(page);
  await withoutNews(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Super Admin' }).click();
  await expect(page).toHaveURL('/super-admin');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Super Admin Dashboard');

  await expect(screen.card('Total AUM')).toContainText(formatWholeUsd(figures.totalAum));
  await expect(screen.card('Total AUM')).toContainText(`Highest: ${figures.highest?.name}`);
  await expect(screen.card('Avg. Super Admin Split')).toContainText(/\d+(\.\d+)?%Average community split/);
  await expect(screen.card('Communities & Traders')).toContainText(
    `${active.length} / ${formatCount(figures.traderCount)}`,
  );
  await expect(screen.card('Estimate Revenue')).toContainText(
    `${formatWholeUsd(figures.split?.revenue.low)} to ${formatWholeUsd(figures.split?.revenue.high)}10-30%`,
  );

  await expect(screen.tile('Active Pools')).toContainText(`${sums.active_pools}`);
  await expect(screen.tile('Total Traders')).toContainText(`${sums.total_traders}`);
  await expect(screen.tile('Total Virtual Balance').getByTitle(/ USDT$/)).toHaveAttribute(
    'title',
    new RegExp(`^${formatCount(Number(sums.total_virtual_balance.split('.')[0]))}\\.`),
  );
  await expect(screen.pools.getByRole('columnheader')).toHaveText([
    'Community',
    'Harvest Status',
    'Balances',
    'Traders',
  ]);
  await expect(screen.pools.getByRole('row')).toHaveCount(pools.length + 1);

  await expect(screen.communities.getByRole('columnheader')).toHaveText([
    'Community',
    'Wallet Status',
    'Internal Balance',
    'Split Percentage',
    'Created',
    'Actions',
  ]);
  await expect(screen.communities.getByRole('row')).toHaveCount(active.length + 1);
  for (const [index, { name, split_percentage, created_at }] of active.entries()) {
    const row = screen.communities.getByRole('row').nth(index + 1);
    await expect(row).toContainText(name);
    await expect(row.getByRole('cell').nth(3)).toContainText(`${split_percentage}%`);
    await expect(row.getByRole('cell').nth(4)).toHaveText(formatDate(created_at));
  }
  // Out of sight before, as below the boxes of what waits: the focus scrolls to it, and it is explained all the same.
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'About the split percentage' }).focus();
  await expect(page.getByRole('tooltip')).toHaveText(
    'This percentage is of the full amount invoiced from traders.',
  );
  await expectAccessible(page);
});

test('archived communities are shown on request, with what is left to do with them', async ({
  page,
  api,
}) => {
  const all = await listCommunities(api);
  const [archived] = all.filter(({ is_archived }) => is_archived);
  const [active] = all;
  if (!archived || !active) throw new Error('no archived community');
  const { communities, row, menu, item } = superAdminScreen(page);
  await page.goto('/super-admin');
  await expect(row(active.name)).toBeVisible();
  await expect(row(archived.name)).toHaveCount(0);
  await page.getByRole('button', { name: 'Show Archived' }).click();
  await expect(page).toHaveURL('/super-admin?archived=shown');
  await expect(communities.getByRole('row')).toHaveCount(all.length + 1);
  await expect(communities.getByRole('row').last()).toContainText('Archived');
  await expect(row(archived.name)).toContainText('Archived');

  await menu(archived.name).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Distribute', 'Delete']);
  // It may owe shares.
  await expect(item('Distribute')).toBeEnabled();
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('button', { name: 'Hide Archived' }).click();
  await expect(row(archived.name)).toHaveCount(0);
  await menu(active.name).press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Distribute', 'Archive', 'Delete']);
  await page.keyboard.press('Escape');

  // A press on the row beside its controls.
  await row(active.name).getByRole('cell').nth(4).click();
  await expect(page).toHaveURL(`/community-settings/${active.id}`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/super-admin');
  await row(active.name).getByRole('link').press('Enter');
  await expect(page).toHaveURL(`/community-settings/${active.id}`);
});

test('the wallet address is copied, and recipients are paid from the menu', async ({
  page,
  api,
  context,
}) => {
  const [first] = await listCommunities(api);
  if (!first) throw new Error('no community');
  const { row, menu, item, dialog, toast } = superAdminScreen(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/super-admin');
  await row(first.name)
    .getByRole('button', { name: /^Copy internal wallet address/ })
    .click();
  await expect(toast('Copied to clipboard')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first.wallets.internal.address);
  // The press is not one on the row.
  await expect(page).toHaveURL('/super-admin');

  await menu(first.name).click();
  await item('Distribute').click();
  await expect(dialog).toHaveAccessibleName('Distribute Funds');
  await expect(dialog).toContainText(`Pending recipients of ${first.name}`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(menu(first.name)).toBeFocused();
});

test('at phone width everything is readable without scrolling sideways', async ({ page, api }) => {
  const active = (await listCommunities(api)).filter(({ is_archived }) => !is_archived);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/super-admin');
  const cards = page.getByRole('list', { name: 'Communities' }).getByRole('listitem');
  await expect(cards).toHaveCount(active.length);
  expect(await page.evaluate('document.querySelector("main").scrollWidth <= innerWidth')).toBe(true);
});

test('while it loads it says so, and without communities and pools as well', async ({ page }) => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await withoutNews(page);
  await answerPools(page, []);
  await page.route('**/api/super-admin/communities?*', async (route) => {
    await held;
    const meta = { totals_at: '2026-01-01T00:00:00.000Z' };
    await route.fulfill({ json: { success: true, data: [], meta } });
  });
  await page.goto('/super-admin');
  await expect(page.getByText('Loading admin data...')).toBeVisible();
  await expectAccessible(page);
  answer();
  const { communities, harvest, pools, card } = superAdminScreen(page);
  await expect(communities).toContainText('No communities found');
  await expect(communities).toContainText('Communities will appear here once they are created.');
  await expect(pools).toContainText('No pooled accounts found');
  await expect(harvest).toHaveCount(0);
  await expect(card('Estimate Revenue')).toContainText('N/A');
  await expectAccessible(page);
});

test.describe('when it fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('each part says why, and tries again', async ({ page, api }) => {
    const [first] = await listCommunities(api);
    const { communities, pools, row, harvest } = superAdminScreen(page);
    const calls = ['**/api/super-admin/communities?*', '**/api/pooled-accounts'];
    await withoutNews(page);
    for (const call of calls) {
      await page.route(call, (route) =>
        route.fulfill({
          status: 503,
          json: { success: false, error: 'unavailable', message: 'The service is not available' },
        }),
      );
    }
    await page.goto('/super-admin');
    await expect(communities.getByRole('alert')).toContainText('The service is not available');
    await expect(pools.getByRole('alert')).toContainText('The service is not available');
    await expectAccessible(page);
    for (const call of calls) await page.unroute(call);
    await communities.getByRole('button', { name: 'Retry' }).click();
    await pools.getByRole('button', { name: 'Retry' }).click();
    await expect(row(first?.name ?? '')).toBeVisible();
    await expect(harvest).toBeVisible();
  });
});

for (const persona of ['staff', 'staff-multi'] as const) {
  test.describe(persona, () => {
    test.use({ persona });

    test('are denied the dashboard without a request', async ({ page }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await answerPools(page, [somePool(0, 'stopped')]);
      await page.goto('/super-admin');
      await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Super Admin' })).toHaveCount(0);
      expect(asked.filter((path) => /^\/api\/(super-admin|pooled-accounts|admin)/.test(path))).toEqual([]);
      await page.getByRole('button', { name: 'Back to Traders' }).click();
      await expect(page).toHaveURL('/');
    });
  });
}
