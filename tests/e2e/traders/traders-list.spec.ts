import { formatCount, formatWholeUsd } from '@copydesk/domain/money';
import { openStill } from '../support/news.ts';
import { expect, test } from '../support/test.ts';
import { listTraders, pickTrader, tradersList } from '../support/traders-list.ts';

test('opens on the inbox with totals, counts and the largest balances first', async ({ page }) => {
  const { data, meta } = await openStill(page, '/', 'GET /api/traders');
  const list = tradersList(page);
  await expect(list.totalAum).toHaveText(formatWholeUsd(meta.total_aum));
  await expect(page.getByText(/^Totals as of \d\d:\d\d:\d\d UTC$/)).toBeVisible();
  await expect(list.tab('Inbox')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tab')).toHaveText(
    (['inbox', 'connected', 'delinquent'] as const).map(
      (tab) => new RegExp(`^${tab}\\s*${formatCount(meta.counts[tab])}$`, 'i'),
    ),
  );
  await expect(list.found).toHaveText(`${formatCount(meta.total)} traders found`);
  await expect(list.column('Balance')).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('columnheader')).toHaveText([
    // The box of the selection.
    '',
    'Reference Number',
    'Telegram Username',
    'Balance',
    'Status',
    'Community',
  ]);
  for (const [index, trader] of data.slice(0, 5).entries()) {
    const cells = list.row(index).getByRole('gridcell').or(list.row(index).getByRole('cell'));
    await expect(cells.nth(1)).toHaveText(trader.reference_number ?? 'N/A');
    await expect(cells.nth(2)).toHaveText(trader.telegram_username ?? trader.name ?? 'N/A');
    await expect(cells.nth(3)).toHaveText(formatWholeUsd(trader.aum));
    await expect(cells.nth(4)).toHaveText('Pending');
  }
});

test('tab, search, order and filters narrow the list as the API does, and a reload keeps them', async ({
  page,
  api,
}) => {
  const communities = (await api.call('GET /api/communities')).data;
  const providers = (await api.call('GET /api/providers')).data;
  const trader = await pickTrader(api, { tab: 'connected' });
  const community = communities.find(({ id }) => id === trader.community_id);
  const account = trader.exchanges?.[0];
  const provider = providers.find(({ id }) => id === account?.provider_id);
  const filters = {
    tab: 'connected',
    community_id: community?.id,
    provider_id: provider?.id,
    exchange: account?.exchange,
  } as const;
  const { meta } = await listTraders(api, filters);
  expect(meta.total).toBeGreaterThan(0);

  await page.goto('/?tab=connected');
  const list = tradersList(page);
  for (const [name, typed] of [
    ['Community', community?.name ?? ''],
    ['Provider', provider?.display_name ?? ''],
    ['Exchange', account?.exchange ?? ''],
  ] as const) {
    await list.filter(name).click();
    await expect(page.getByRole('combobox', { name })).toBeFocused();
    await page.keyboard.type(typed);
    const offered = page.getByRole('listbox', { name }).getByRole('option').first();
    await expect(offered).toContainText(typed, { ignoreCase: true });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name })).toHaveCount(0);
  }
  await expect(list.found).toHaveText(`${meta.total} traders found`);
  await expect(page).toHaveURL(
    `/?tab=connected&community=${community?.id}&provider=${provider?.id}&exchange=${account?.exchange}`,
  );
  await list.sortBy('Reference Number');
  const { data } = await listTraders(api, { ...filters, orderBy: 'reference_number', orderDir: 'desc' });
  const expectSorted = async () => {
    await expect(list.found).toHaveText(`${meta.total} traders found`);
    for (const [index, { reference_number }] of data.slice(0, 3).entries())
      await expect(list.row(index)).toContainText(reference_number ?? 'N/A');
  };
  await expectSorted();
  await page.reload();
  await expectSorted();
  await expect(list.row(0)).toContainText(community?.name ?? '');

  await page.getByRole('button', { name: /^Remove filter Exchange/ }).click();
  await expect(page).not.toHaveURL(/exchange/);
  await page.goBack();
  await expect(list.found).toHaveText(`${meta.total} traders found`);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/?tab=connected&sort=reference_number');
  const found = await listTraders(api, { tab: 'connected', search: 'ait-1001' });
  expect(found.meta.total).toBeGreaterThan(0);
  await list.openSearch();
  await page.keyboard.type('ait-1001');
  await expect(list.found).toHaveText(`${found.meta.total} traders found`);
  // What it finds elsewhere is offered.
  await page.goto(`/?tab=delinquent&search=${trader.reference_number}`);
  await page.getByRole('button', { name: /^\d+ in Connected$/ }).click();
  await expect(list.row(0)).toContainText(trader.reference_number);
});
