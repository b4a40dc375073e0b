import { formatCount, formatDate, shortId } from '@copydesk/domain/money';
import { listActive, pickCommunity, putBack, settingsScreen } from '../support/communities.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

// The states of both screens are in component tests: communities and community-settings.
test.use({ expectedComplaint: FAILED_REQUEST });

test('from the leaderboard to the settings of a community, which are changed and kept', async ({
  page,
  api,
}) => {
  const active = await listActive(api);
  const community = await pickCommunity(api);
  await page.goto('/');
  await page.getByRole('link', { name: 'Communities' }).click();
  await expect(page).toHaveURL('/communities');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Communities');
  await expect(page.getByText(`${active.length} communities`, { exact: true })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Communities by AUM' }).getByRole('row');
  await expect(rows).toHaveCount(active.length + 1);
  for (const { name, trader_count = 0, created_at } of active) {
    const cells = rows.filter({ has: page.getByRole('link', { name, exact: true }) }).getByRole('cell');
    await expect(cells.nth(2)).toHaveText(/^\$[\d,]+$/);
    await expect(cells.nth(3)).toHaveText(formatCount(trader_count));
    await expect(cells.nth(4)).toHaveText(formatDate(created_at));
  }

  await page.getByRole('button', { name: `Actions for ${community.name}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).press('Enter');
  await expect(page).toHaveURL(`/community-settings/${community.id}`);
  const { panel, settings, dialog, field, save, edit, toast } = settingsScreen(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(community.name);
  await expect(settings).toContainText(`${community.split_percentage}%`);
  await expect(settings.getByText(`${formatCount(community.minimum_balance)} USDT`)).toBeVisible();
  await expect(panel('Wallets')).toContainText(shortId(community.wallets.internal.address ?? ''));
  await expect(panel('Wallets')).toContainText(/Available for withdrawal.*USDT/);
  await expect(page.getByRole('img', { name: /^AUM and money in and out from/ })).toBeVisible();
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('region', { name: 'AUM and money in and out by day' })).toContainText('$');

  const wanted = community.split_percentage === 6.25 ? 6.5 : 6.25;
  try {
    await edit('split percentage').click();
    await field.fill(String(wanted));
    await expect(dialog.getByRole('row')).toHaveCount(community.providers.length + 1);
    await expect(dialog.getByRole('row').nth(1)).toContainText(`${wanted.toFixed(2)}was`);
    // It goes after some seconds: looked for before anything else is waited for.
    await Promise.all([expect(toast('Split Percentage updated')).toBeVisible(), save.click()]);
    await expect(dialog).toHaveCount(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect(panel('Settings History').getByRole('listitem').first()).toContainText(
      `Split percentage ${community.split_percentage}% → ${wanted}%`,
    );
    // The server checks an address, and keeps it with its checksum.
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
  // Another person changed it, and it shows without being asked for.
  await expect(settings.getByText(`${community.split_percentage}%`, { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Cannot delete a community with active traders. Please remove all traders first.',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/communities');
});
