import { expectAccessible } from '../support/accessibility.ts';
import { pickCommunity, putBack } from '../support/communities.ts';
import { withoutNews } from '../support/news.ts';
import { listCommunities, superAdminScreen } from '../support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test.describe.configure({ timeout: 120_000 });
test.use({ expectedComplaint: FAILED_REQUEST });

test('values are edited from their cells, and a refusal is shown in the dialog', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const { name } = community;
  const { row, dialog } = superAdminScreen(page);
  const edit = (setting: string) =>
    row(name).getByRole('button', { name: `edit ${setting} of ${name}`, exact: false });
  const field = dialog.getByRole('textbox');
  const save = dialog.getByRole('button', { name: 'Save' });
  const wanted = community.split_percentage === 6.25 ? 6.5 : 6.25;
  await page.goto('/super-admin');
  try {
    await edit('split percentage').click();
    await expect(dialog).toHaveAccessibleName('Edit Split Percentage');
    await expect(dialog).toContainText(name);
    await expect(field).toBeFocused();
    await field.fill('100.5');
    await save.click();
    await expect(dialog).toContainText('Enter a number from 0 to 100');
    await field.fill(String(wanted));
    await save.click();
    await expect(dialog).toHaveCount(0);
    await expect(row(name).getByRole('cell').nth(3)).toContainText(`${wanted}%`);
    await expect(edit('split percentage')).toBeFocused();

    await edit('minimum balance').click();
    await field.fill('12345');
    await save.click();
    await expect(row(name).getByRole('cell').nth(2)).toContainText('12,345');

    await edit('referrer wallet address').press('Enter');
    await field.fill('bob');
    await save.click();
    await expect(dialog).toContainText('not an EVM address');
    await page.keyboard.press('Escape');
    await expect(edit('referrer wallet address')).toBeFocused();
    await edit('split percentage').click();
    await expect(field).toBeFocused();
    await expectAccessible(page);
  } finally {
    await putBack(api, community);
  }
});

test('a community that cannot be loaded is not edited', async ({ page, api }) => {
  const [first] = await listCommunities(api);
  const { dialog } = superAdminScreen(page);
  await page.route(`**/api/communities/${first?.id}?*`, (route) =>
    route.fulfill({ status: 404, json: { success: false, error: 'not_found', message: 'Not found' } }),
  );
  await page.goto('/super-admin');
  await page.getByRole('button', { name: `edit minimum balance of ${first?.name}` }).click();
  await expect(dialog.getByRole('alert')).toContainText('Not found');
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
});

test('archiving and deleting ask first, and show the refusal where the question was', async ({
  page,
  api,
}) => {
  const [first] = await listCommunities(api);
  if (!first) throw new Error('no community');
  const { menu, item, dialog } = superAdminScreen(page);
  await page.goto('/super-admin');
  for (const [act, question, refusal] of [
    [
      'Archive',
      `Are you sure you want to archive ${first.name}? This action can only be performed if the community has 0 AUM.`,
      'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
    ],
    [
      'Delete',
      `Are you sure you want to permanently delete ${first.name}? This action can only be performed if the community has no traders.`,
      'Cannot delete a community with active traders. Please remove all traders first.',
    ],
  ] as const) {
    await menu(first.name).click();
    await item(act).click();
    await expect(dialog).toContainText(question);
    await dialog.getByRole('button', { name: act, exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText(refusal);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(menu(first.name)).toBeFocused();
  }
  await menu(first.name).click();
  await item('Delete').click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
});

test('a community that was archived or deleted leaves the table', async ({ page, api }) => {
  const all = await listCommunities(api);
  const [first, second] = all.filter(({ is_archived }) => !is_archived);
  if (!first || !second) throw new Error('too few communities');
  const { menu, item, dialog, row, toast } = superAdminScreen(page);
  let shown = all;
  await withoutNews(page);
  await page.route('**/api/super-admin/communities?*', (route) =>
    route.fulfill({
      json: { success: true, data: shown, meta: { totals_at: '2026-01-01T00:00:00.000Z' } },
    }),
  );
  await page.route(`**/api/super-admin/communities/${first.id}/archive`, (route) => {
    const archived = { is_archived: true, owes_shares: false };
    shown = shown.map((one) => (one.id === first.id ? { ...one, ...archived } : one));
    return route.fulfill({ json: { success: true, data: { ...first, is_archived: true } } });
  });
  await page.route(`**/api/super-admin/communities/${second.id}`, (route) => {
    shown = shown.filter(({ id }) => id !== second.id);
    return route.fulfill({ json: { success: true, data: { id: second.id } } });
  });
  await page.goto('/super-admin');
  await menu(first.name).click();
  await item('Archive').click();
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(toast('Community has been successfully archived.')).toBeVisible();
  await expect(row(first.name)).toHaveCount(0);
  await menu(second.name).click();
  await item('Delete').click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast('Community has been successfully deleted.')).toBeVisible();
  await expect(row(second.name)).toHaveCount(0);
});
