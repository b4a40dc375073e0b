import { expectAccessible } from '../support/accessibility.ts';
import { createApi } from '../support/api.ts';
import { isHosted } from '../support/identity-mode.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test.describe.configure({ timeout: 120_000 });

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
  await expectAccessible(page);
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
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Request change' }).click();
  await expect(row).toContainText('Waits for approval');
  await expect(row).toContainText('No limit requested by super@demo.example');
  await expect(row.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await expect(row.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  await expectAccessible(page);

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

test.describe('a recipient of the platform', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('gets an address, which is held', async ({ page }) => {
    const dialog = page.getByRole('dialog');
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Change the address of Tips' }).click();
    await dialog.getByLabel('Address on BNB Smart Chain').fill('0x12');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toContainText('not an EVM address');
    await dialog.getByLabel('Address on BNB Smart Chain').fill('0x00000000000000000000000000000000000000a7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const tips = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Tips/ }) });
    await expect(tips).toContainText('Held');
    await expect(tips).toContainText('Waits for another super admin');
  });
});

test("the platform's bot is the one that the workers use", async ({ page }) => {
  const panel = page.getByRole('region', { name: 'Telegram' });
  await page.goto('/settings');
  await expect(panel).toContainText('@copydesk_demo_bot');
  await expect(panel).toContainText('Owners confirm their payout addresses by this bot');
  await expectAccessible(page);
});

test('levels of traders are edited as rows', async ({ page }) => {
  const dialog = page.getByRole('dialog');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change VIP levels' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const remove = await dialog.getByRole('button', { name: 'Remove level 1' }).boundingBox();
  const box = await dialog.boundingBox();
  expect((remove?.x ?? 0) + (remove?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0));
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('button', { name: 'Add level' }).click();
  await dialog.getByLabel('Name of level 6').fill('Black');
  await dialog.getByLabel('AUM of level 6, USD').fill('10');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Each level needs a higher AUM than the one before');
  await dialog.getByLabel('AUM of level 6, USD').fill('5000000');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const levels = page.getByRole('list', { name: 'Settings: Traders' });
  await expect(levels).toContainText('Black from $5,000,000');
  await page.getByRole('button', { name: 'Change VIP levels' }).click();
  await dialog.getByRole('button', { name: 'Remove level 6' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(levels).not.toContainText('Black');
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
  await expectAccessible(guest);
  await guest.getByRole('link', { name: 'Ask for access' }).click();
  const title = isHosted ? 'Join the waitlist' : 'Ask for access';
  await expect(guest.getByRole('heading', { name: title })).toBeVisible();
  await guest.context().close();
});
