import { formatCount, shortId } from '@copydesk/domain/money';
import { listActive, pickCommunity, putBack, settingsScreen } from '../support/communities.ts';
import { withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

test('a community shows its settings, wallets and figures', async ({ page, api }) => {
  const community = await pickCommunity(api);
  await page.goto(`/community-settings/${community.id}`);
  const { panel, settings } = settingsScreen(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(community.name);
  await expect(page.getByText(/^Created \d+ (months|years) ago$/)).toBeVisible();
  await expect(settings).toContainText(`${community.split_percentage}%`);
  await expect(settings.getByText(`${formatCount(community.minimum_balance)} USDT`)).toBeVisible();
  await expect(panel('Wallets')).toContainText(shortId(community.wallets.internal.address ?? ''));
  await expect(page.getByRole('img', { name: /^AUM and money in and out from/ })).toBeVisible();
  await panel('AUM and Money In and Out').getByText('1 year', { exact: true }).click();
  await expect(page).toHaveURL(/range=1y/);
  await page.getByText('Show as a table').click();
  const days = page.getByRole('region', { name: 'AUM and money in and out by day' });
  await expect(days).toContainText('$');
  await expect(days.getByRole('columnheader')).toHaveText(['Day', 'AUM', 'Received', 'Paid out']);
  await page.getByRole('button', { name: 'About the split percentage' }).focus();
  await expect(page.getByRole('tooltip')).toHaveText(
    'This percentage is of the full amount invoiced from traders.',
  );
});

test.describe('wallets that cannot be read', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });
  test('are reported once, and read again on demand', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    const json = { success: false, error: 'not_found', message: 'No wallet was found' };
    const answers = /\/(wallet-balance|available-for-withdrawal)$/;
    await page.route(answers, (route) => route.fulfill({ status: 404, json }));
    await page.goto(`/community-settings/${id}`);
    const wallets = settingsScreen(page).panel('Wallets');
    await expect(wallets.getByRole('alert')).toHaveText('No wallet was foundRetry');
    await expect(wallets.getByText('Unknown')).toHaveCount(4);
    await page.unroute(answers);
    await wallets.getByRole('button', { name: 'Retry' }).click();
    await expect(wallets.getByRole('alert')).toHaveCount(0);
    await expect(wallets).toContainText(/Internal balance.*USDT/);
    await expect(wallets).toContainText(/Available for withdrawal.*USDT/);
  });
});

test('the chart, the figures and the days show payouts below receipts', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const data = [
    { day: '2026-01-01', aum: '1000', received: '400', paid_out: '0' },
    { day: '2026-01-03', aum: '1100', received: '0', paid_out: '250.5' },
    { day: '2026-01-04', aum: '1200', received: '10', paid_out: '49.5' },
  ];
  await page.route(`**/api/communities/${id}/days?*`, (route) =>
    route.fulfill({ json: { success: true, data } }),
  );
  await page.goto(`/community-settings/${id}`);
  const panel = page.getByRole('region', { name: 'AUM and Money In and Out', exact: true });
  const figure = (name: string) => panel.locator('dl > div').filter({ hasText: name });
  await expect(figure('Received')).toHaveText('Received$410.00on 2 days');
  await expect(figure('Paid out')).toHaveText('Paid out$300.00on 2 days');
  const chart = page.getByRole('img', { name: 'AUM and money in and out from Jan 1, 2026 to Jan 4, 2026' });
  await expect(chart).toContainText(/Received\s*Paid out/);
  // On a day without AUM. A chart that is still being laid out hears nothing of the mouse.
  await expect(async () => {
    for (const x of [300, 310]) await chart.hover({ position: { x, y: 80 } });
    await expect(chart).toContainText(/Jan 2, 2026AUM N\/A\s*Received \$0\.00\s*Paid out \$0\.00/, {
      timeout: 1_000,
    });
  }).toPass({ timeout: 15_000 });
  const bars = (color: string) => chart.locator(`.recharts-bar path[fill="var(--${color})"]`);
  const top = async (color: string) => (await bars(color).first().boundingBox())?.y ?? 0;
  expect(await top('caution')).toBeGreaterThan(await top('positive'));
  await page.getByText('Show as a table').click();
  await expect(panel.getByRole('row').nth(2)).toHaveText('Jan 3, 2026$1,100.00$0.00$250.50');
  await expect(panel.getByRole('row').nth(3)).toHaveText('Jan 2, 2026N/A$0.00$0.00');
});

test('without an external address it says so', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const wallets = { ...community.wallets, external: { address: null, balance: null } };
  await page.route(`**/api/communities/${community.id}?*`, (route) =>
    route.fulfill({ json: { success: true, data: { ...community, wallets } } }),
  );
  await page.goto(`/community-settings/${community.id}`);
  await expect(page.getByText('No external address set')).toBeVisible();
});

test('the split changes after a preview, and appears in the history', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const { dialog, field, save, edit, panel, settings, toast } = settingsScreen(page);
  const wanted = community.split_percentage === 6.25 ? 6.5 : 6.25;
  await page.goto(`/community-settings/${community.id}`);
  try {
    await edit('split percentage').click();
    await expect(dialog).toHaveAccessibleName('Edit Split Percentage');
    await expect(field).toBeFocused();
    await field.fill('101');
    await save.click();
    await expect(dialog).toContainText('Enter a number from 0 to 100');
    await field.fill('99');
    await expect(dialog.getByRole('row').filter({ hasText: 'More than the invoice' })).toHaveCount(
      community.providers.length,
    );
    await save.click();
    await expect(dialog).toContainText(/At most \d+% is left beside/);
    await field.fill(String(wanted));
    await expect(dialog.getByRole('row')).toHaveCount(community.providers.length + 1);
    await expect(dialog.getByRole('row').nth(1)).toContainText(`${wanted.toFixed(2)}was`);
    await save.click();
    await expect(dialog).toHaveCount(0);
    await expect(toast('Split Percentage updated')).toBeVisible();
    await expect(panel('Settings History').getByRole('listitem').first()).toContainText(
      `Split percentage ${community.split_percentage}% → ${wanted}%`,
    );
    await expect(edit('split percentage')).toBeFocused();
  } finally {
    await putBack(api, community);
  }
  // Another person changed it, and it shows without being asked for.
  await expect(settings.getByText(`${community.split_percentage}%`, { exact: true })).toBeVisible();
});

test('the minimum balance is a whole number, and the present value is not sent', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const { dialog, field, save, edit, settings, toast } = settingsScreen(page);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));
  await page.goto(`/community-settings/${community.id}`);
  try {
    await edit('minimum balance').click();
    await save.click();
    await expect(dialog).toHaveCount(0);
    await expect(toast('No changes to save')).toBeVisible();
    expect(sent).toEqual([]);
    await edit('minimum balance').click();
    await field.fill('0.5');
    await field.press('Enter');
    await expect(dialog).toContainText('Enter a whole number of at least 1');
    await field.fill('12345');
    await save.click();
    await expect(settings.getByText('12,345 USDT', { exact: true })).toBeVisible();
  } finally {
    await putBack(api, community);
  }
});

test.describe('with refusals', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('an address is checked by the server, and kept with its checksum', async ({ page, api }) => {
    const community = await pickCommunity(api);
    const { dialog, field, save, edit, settings } = settingsScreen(page);
    await page.goto(`/community-settings/${community.id}`);
    try {
      await edit('referrer wallet address').click();
      await field.fill('bob');
      await save.click();
      await expect(dialog).toContainText('not an EVM address');
      await field.fill(ADDRESS.toLowerCase());
      await save.click();
      await expect(dialog).toHaveCount(0);
      await expect(settings.getByTitle(ADDRESS)).toBeVisible();
      await edit('referrer wallet address').click();
      await field.fill('');
      await save.click();
      await expect(settings.getByText('Not set', { exact: true })).toBeVisible();
    } finally {
      await putBack(api, community);
    }
  });

  test('a community with traders and AUM is neither archived nor deleted', async ({ page, api }) => {
    const { id, name } = await pickCommunity(api);
    const { dialog } = settingsScreen(page);
    await page.goto(`/community-settings/${id}`);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect(dialog).toContainText(
      `Are you sure you want to archive ${name}? This action can only be performed if the community has 0 AUM.`,
    );
    await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(dialog).toContainText(
      `Are you sure you want to permanently delete ${name}? This action can only be performed if the community has no traders.`,
    );
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Cannot delete a community with active traders. Please remove all traders first.',
    );
  });

  test('every other obstacle to deleting a community is listed', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    const { dialog } = settingsScreen(page);
    await page.route(`**/api/super-admin/communities/${id}`, (route) =>
      route.fulfill({
        status: 409,
        json: {
          success: false,
          error: 'delete_community_failed',
          message: 'Failed to delete community',
          details: [{ path: 'invoices', message: 'it has invoices' }],
        },
      }),
    );
    await page.goto(`/community-settings/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to delete community: it has invoices');
  });

  test('a missing community is not found', async ({ page }) => {
    for (const id of ['00000000-0000-4000-8000-00000000dead', 'nonsense']) {
      await page.goto(`/community-settings/${id}`);
      await expect(page.getByRole('heading', { name: 'Community Not Found' })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL('/communities');
  });

  test('failed panels load again on demand', async ({ page, api }) => {
    const [first] = await listActive(api);
    await withoutNews(page);
    const failing = `**/api/communities/${first?.id}/days?*`;
    await page.route(failing, (route) =>
      route.fulfill({ status: 500, json: { success: false, error: 'internal_error', message: 'Broken' } }),
    );
    await page.goto(`/community-settings/${first?.id}`);
    await expect(
      page.getByRole('alert').filter({ hasText: 'The figures could not be loaded' }),
    ).toBeVisible();
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('img', { name: /^AUM and money in and out from/ })).toBeVisible();
  });
});

test('archived and deleted: the messages, and the next screen', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const { dialog, toast } = settingsScreen(page);
  // The demo world keeps its communities: the answers are made up.
  await page.route(`**/api/super-admin/communities/${id}/archive`, (route) =>
    route.fulfill({ json: { success: true, data: {} } }),
  );
  await page.route(`**/api/super-admin/communities/${id}`, (route) =>
    route.fulfill({ json: { success: true, data: { id } } }),
  );
  await page.goto(`/community-settings/${id}`);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(toast('Community has been successfully archived.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast('Community has been successfully deleted.')).toBeVisible();
  await expect(page).toHaveURL('/communities');
});
