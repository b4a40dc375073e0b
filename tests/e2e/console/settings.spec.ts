import { createApi } from '../support/api.ts';
import { isHosted } from '../support/identity-mode.ts';
import { expect, test } from '../support/test.ts';

test('a loosened limit waits for the second super admin, a tightened one does not', async ({
  page,
  baseURL,
}) => {
  const dialog = page.getByRole('dialog');
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: /^Largest payout/ }) });
  await page.goto('/settings');
  await expect(row).toContainText('No limit');
  await expect(row).toContainText('Default');
  await page.getByRole('button', { name: 'Change Largest payout' }).click();
  await dialog.getByLabel('Largest payout').fill('1.5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Enter a whole number from 1');
  await dialog.getByLabel('Largest payout').fill('900000');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('900,000 USDT');
  await page.getByRole('button', { name: 'Change Largest payout' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes to save', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('by super@demo.example');

  await page.getByRole('button', { name: 'Change Largest payout' }).click();
  await dialog.getByLabel('Largest payout').fill('');
  await expect(dialog).toContainText('once another super admin has approved it');
  await dialog.getByRole('button', { name: 'Request change' }).click();
  await expect(row).toContainText('Waits for approval');
  await expect(row).toContainText('No limit requested by super@demo.example');
  await expect(row.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await expect(row.getByRole('button', { name: 'Withdraw' })).toBeVisible();

  const other = await createApi(baseURL ?? '', 'super-2');
  const { data } = await other.call('GET /api/platform-settings');
  const waiting = data.find(({ name }) => name === 'payout_max_per_transaction')?.waiting;
  expect(waiting?.refusal).toBeNull();
  await other.call('POST /api/platform-settings/changes/{id}/approve', { params: { id: waiting?.id ?? '' } });
  await page.reload();
  await expect(row).toContainText('No limit');
  await expect(row).not.toContainText('Waits for approval');
  await expect(page.getByRole('region', { name: /^History/ })).toContainText(
    'Approved by super-2@demo.example',
  );
});

test('prices of plans are on the sign-in page', async ({ page, browser, baseURL }) => {
  const dialog = page.getByRole('dialog');
  const guest = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await guest.goto('/sign-in#/pricing');
  await expect(guest.getByText('$199 a month')).toBeVisible();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change Plans of communities' }).click();
  await dialog.getByLabel('By month').fill('49.90');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Settings: Communities' })).toContainText('$49.90 a month');
  await guest.reload();
  await expect(guest.getByText('$49.90 a month')).toBeVisible();
  await page.getByRole('button', { name: 'Change Plans of communities' }).click();
  await dialog.getByLabel('By month').fill('199');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await guest.getByRole('link', { name: 'Ask for access' }).click();
  const title = isHosted ? 'Join the waitlist' : 'Ask for access';
  await expect(guest.getByRole('heading', { name: title })).toBeVisible();
  await guest.context().close();
});
