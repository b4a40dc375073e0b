import { formatCount, formatDate, formatWholeUsd } from '@copydesk/domain/money';
import { dashboardFigures } from '@copydesk/domain/pools';
import { withoutNews } from '../support/news.ts';
import { listCommunities, superAdminScreen } from '../support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// Its states are in the component test of the dashboard.
test.use({ expectedComplaint: FAILED_REQUEST });

test('the dashboard has the figures of the API, and leads to the acts on a community', async ({
  page,
  api,
  context,
}) => {
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

  // The wallet address is copied, and the press is not one on the row.
  const [first] = active;
  if (!first) throw new Error('no community');
  const { row, menu, item, dialog, toast } = screen;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await row(first.name)
    .getByRole('button', { name: /^Copy internal wallet address/ })
    .click();
  await expect(toast('Copied to clipboard')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first.wallets.internal.address);
  await expect(page).toHaveURL('/super-admin');
  await menu(first.name).click();
  await item('Distribute').click();
  await expect(dialog).toContainText(`Pending recipients of ${first.name}`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  const edit = () => row(first.name).getByRole('button', { name: `edit split percentage of ${first.name}` });
  const wanted = first.split_percentage === 6.25 ? 6.5 : 6.25;
  try {
    await edit().click();
    await dialog.getByRole('textbox').fill(String(wanted));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row(first.name).getByRole('cell').nth(3)).toContainText(`${wanted}%`);
    await expect(edit()).toBeFocused();
  } finally {
    const { id, split_percentage, minimum_balance, referrer_wallet_address } = first;
    await api.call('PATCH /api/super-admin/communities/{id}', {
      params: { id },
      idempotencyKey: null,
      body: { split_percentage, minimum_balance, referrer_wallet_address },
    });
  }
  await menu(first.name).click();
  await item('Archive').click();
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await row(first.name).getByRole('link').first().press('Enter');
  await expect(page).toHaveURL(`/community-settings/${first.id}`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/super-admin');
});
