import { formatCount, formatWholeUsd } from '@copydesk/domain/money';
import { openStill, withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { listTraders, pickTrader, tradersList } from '../support/traders-list.ts';

const rememberedTab = 'localStorage.getItem("tradersPageActiveTab")';

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
    'Reference Number',
    'Telegram Username',
    'Balance',
    'Status',
    'Community',
  ]);
  for (const [index, trader] of data.slice(0, 5).entries()) {
    const cells = list.row(index).getByRole('gridcell').or(list.row(index).getByRole('cell'));
    await expect(cells.nth(0)).toHaveText(trader.reference_number ?? 'N/A');
    await expect(cells.nth(1)).toHaveText(trader.telegram_username ?? trader.name ?? 'N/A');
    await expect(cells.nth(2)).toHaveText(formatWholeUsd(trader.aum));
    await expect(cells.nth(3)).toHaveText('Pending');
  }
});

test('the chosen tab appears in the URL and is remembered', async ({ page, api }) => {
  const { meta } = await listTraders(api, { tab: 'delinquent' });
  await page.goto('/');
  const list = tradersList(page);
  await list.tab('Delinquent').click();
  await expect(page).toHaveURL('/?tab=delinquent');
  await expect(list.found).toHaveText(`${formatCount(meta.total)} traders found`);
  await expect(list.row(0)).toContainText('Delinquent');
  expect(await page.evaluate(rememberedTab)).toBe('delinquent');
  await page.goto('/');
  await expect(list.tab('Delinquent')).toHaveAttribute('aria-selected', 'true');
  await list.tab('Delinquent').press('ArrowLeft');
  await expect(list.tab('Connected')).toBeFocused();
  await expect(list.row(0)).toContainText('Connected');
});

test('every trader can be reached: beside the tabs are those without an exchange, and all', async ({
  page,
}) => {
  const { meta } = await openStill(page, '/', 'GET /api/traders');
  const list = tradersList(page);
  const { counts } = meta;
  expect(counts.none).toBeGreaterThan(0);
  const without = page.getByRole('button', {
    name: `${formatCount(counts.none)} pending without an exchange`,
  });
  await without.click();
  await expect(page).toHaveURL('/?tab=none');
  await expect(without).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('tab', { selected: true })).toHaveCount(0);
  await expect(list.found).toHaveText(`${formatCount(counts.none)} traders found`);
  await expect(list.row(0)).toContainText('Pending');
  const all = counts.inbox + counts.connected + counts.delinquent + counts.none;
  await page.getByRole('button', { name: `All ${formatCount(all)}` }).click();
  await expect(page).toHaveURL('/?tab=all');
  await expect(list.found).toHaveText(`${formatCount(all)} traders found`);
  expect(await page.evaluate(rememberedTab)).toBe('inbox');
  await list.tab('Inbox').focus();
  await list.tab('Inbox').press('ArrowRight');
  await expect(page).toHaveURL(/tab=(inbox|connected|delinquent)/);
});

test('a search offers its matches elsewhere: in another tab, and in other fields', async ({ page, api }) => {
  const { data } = await listTraders(api, { tab: 'connected' });
  const trader = data.find(({ reference_number, email }) => reference_number && email);
  await page.goto(`/?tab=delinquent&search=${trader?.reference_number}`);
  const list = tradersList(page);
  await page.getByRole('button', { name: /^\d+ in Connected$/ }).click();
  await expect(list.row(0)).toContainText(trader?.reference_number ?? '');
  await page.goto(`/?tab=delinquent&search=${encodeURIComponent(trader?.email ?? '')}`);
  await page.getByRole('button', { name: /^\d+ more by name, Telegram, e-mail, account/ }).click();
  await expect(page).toHaveURL(/in=other/);
  await expect(list.row(0)).toContainText(trader?.reference_number ?? '');
  await page.getByRole('button', { name: 'Search reference numbers instead' }).click();
  await expect(page.getByText('No traders found')).toBeVisible();
});

test('invalid values in the URL or in the memory are ignored', async ({ page }) => {
  await page.addInitScript('localStorage.setItem("tradersPageActiveTab", "vip")');
  await page.goto('/?tab=everything&sort=password&dir=up&community=x&exchange=mtgox');
  const list = tradersList(page);
  await expect(list.tab('Inbox')).toHaveAttribute('aria-selected', 'true');
  await expect(list.column('Balance')).toHaveAttribute('aria-sort', 'descending');
  await expect(list.rows.first()).toBeVisible();
});

test('a newly chosen column starts descending, the same column turns round', async ({ page, api }) => {
  await page.goto('/?tab=connected');
  const list = tradersList(page);
  const expectSorted = async (
    header: string,
    orderBy: 'aum' | 'telegram_username' | 'reference_number',
    orderDir: 'asc' | 'desc',
  ) => {
    const { data } = await listTraders(api, { tab: 'connected', orderBy, orderDir, limit: '3' });
    await expect(list.column(header)).toHaveAttribute('aria-sort', `${orderDir}ending`);
    await expect(list.column(header).getByRole('button')).toBeVisible();
    for (const [index, trader] of data.entries())
      await expect(list.row(index)).toContainText(trader.reference_number ?? 'N/A');
  };
  await expectSorted('Balance', 'aum', 'desc');
  await list.sortBy('Telegram Username');
  await expectSorted('Telegram Username', 'telegram_username', 'desc');
  await list.sortBy('Telegram Username');
  await expectSorted('Telegram Username', 'telegram_username', 'asc');
  await list.sortBy('Reference Number');
  await expectSorted('Reference Number', 'reference_number', 'desc');
  await expect(page).toHaveURL('/?tab=connected&sort=reference_number');
  await list.sortBy('Balance');
  await expectSorted('Balance', 'aum', 'desc');
  await expect(page).toHaveURL('/?tab=connected');
  await list.sortBy('Balance');
  await expectSorted('Balance', 'aum', 'asc');
  await expect(list.column('Status').getByRole('button')).toHaveCount(0);
});

test('the search finds parts of reference numbers in any case, clears and closes', async ({ page, api }) => {
  const { data, meta } = await listTraders(api, { tab: 'connected', search: 'ait-1001' });
  expect(meta.total).toBeGreaterThan(0);
  await page.goto('/?tab=connected');
  const list = tradersList(page);
  await expect(list.searchBox).toHaveCount(0);
  await list.openSearch();
  await expect(list.searchBox).toBeFocused();
  await page.keyboard.type('ait-1001');
  await expect(list.found).toHaveText(`${meta.total} traders found`);
  await expect(list.row(0)).toContainText(data[0]?.reference_number ?? '');
  await expect(page).toHaveURL('/?tab=connected&search=ait-1001');

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(list.searchBox).toBeFocused();
  await expect(list.searchBox).toHaveValue('');
  await expect(page).toHaveURL('/?tab=connected');

  await page.keyboard.type('1001');
  await page.keyboard.press('Escape');
  await expect(list.searchBox).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Search by reference number' })).toBeFocused();
  await expect(page).toHaveURL('/?tab=connected');

  await page.keyboard.press('/');
  await page.keyboard.type('1001');
  await expect(page).toHaveURL('/?tab=connected&search=1001');
  await page.getByRole('button', { name: 'Close search' }).click();
  await expect(list.searchBox).toHaveCount(0);
  await expect(page).toHaveURL('/?tab=connected');
});

test('filters narrow the list, appear in the URL, and are removed one by one or all at once', async ({
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
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name })).toHaveCount(0);
  }
  await expect(list.found).toHaveText(`${meta.total} traders found`);
  await expect(page).toHaveURL(
    `/?tab=connected&community=${community?.id}&provider=${provider?.id}&exchange=${account?.exchange}`,
  );
  await page.reload();
  await expect(list.found).toHaveText(`${meta.total} traders found`);
  await expect(list.row(0)).toContainText(community?.name ?? '');

  await page.getByRole('button', { name: /^Remove filter Exchange/ }).click();
  await expect(page).toHaveURL(`/?tab=connected&community=${community?.id}&provider=${provider?.id}`);
  await page.goBack();
  await expect(list.found).toHaveText(`${meta.total} traders found`);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/?tab=connected');
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(0);
});

test('says when nothing matches', async ({ page }) => {
  await page.goto('/?tab=connected&search=nobody-has-this');
  await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  await expect(tradersList(page).found).toHaveText('0 traders found');
});

test('shows loading until the answer arrives', async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/traders?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await expect(tradersList(page).found).toHaveText('Loading traders data...');
  answer();
  await expect(tradersList(page).found).toHaveText(/^\d+ traders found$/);
});

test.describe('when the server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('says so in place of the list, and Retry brings it', async ({ page }) => {
    const message = 'The service is not available at the moment. Please try again.';
    await withoutNews(page);
    await page.route('**/api/traders?*', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'unavailable', message } }),
    );
    await page.goto('/');
    const alert = page.getByRole('alert');
    await expect(alert.getByRole('heading')).toHaveText('The traders could not be loaded');
    await expect(alert.getByRole('paragraph')).toHaveText(message);
    await expect(tradersList(page).totalAum).toHaveText('N/A');
    await page.unroute('**/api/traders?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(tradersList(page).rows.first()).toBeVisible();
    await expect(alert).toHaveCount(0);
  });

  test('a failure while scrolling keeps the rows', async ({ page }) => {
    await withoutNews(page);
    await page.goto('/?tab=connected');
    const list = tradersList(page);
    await expect(list.rows.first()).toBeVisible();
    await page.route('**/api/traders?*offset=*', (route) => route.fulfill({ status: 503, json: {} }));
    await list.rows.first().press('End');
    await expect(page.getByRole('alert')).toContainText('Some rows could not be loaded');
    await page.unroute('**/api/traders?*offset=*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(list.rows.last()).toBeVisible();
  });
});
