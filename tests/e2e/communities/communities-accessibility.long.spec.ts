import { expectAccessible } from '../support/accessibility.ts';
import { listActive, pickCommunity, settingsScreen } from '../support/communities.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// Several states are checked in one visit, each three times.

test('the leaderboard, and an open menu of it', async ({ page, api }) => {
  const [first] = await listActive(api);
  await page.goto('/communities');
  await expect(page.getByRole('link', { name: first?.name ?? '', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: `Actions for ${first?.name}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible();
  await expectAccessible(page);
});

test('the settings of a community, and the dialogs that change them', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const { dialog, edit } = settingsScreen(page);
  await page.goto(`/community-settings/${id}`);
  await expect(page.getByRole('img', { name: /^AUM and money in and out from/ })).toBeVisible();
  await page.getByText('Show as a table').click();
  await page.getByRole('button', { name: 'About the split percentage' }).focus();
  await expect(page.getByRole('tooltip')).toBeAttached();
  await expectAccessible(page);
  for (const name of ['split percentage', 'minimum balance', 'referrer wallet address']) {
    await edit(name).click();
    await expect(dialog).toBeVisible();
    if (name === 'split percentage') await dialog.getByRole('textbox').fill('99');
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
});

test.describe('of nothing', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a missing community', async ({ page }) => {
    await page.goto('/community-settings/00000000-0000-4000-8000-00000000dead');
    await expect(page.getByRole('heading', { name: 'Community Not Found' })).toBeVisible();
    await expectAccessible(page);
  });
});
