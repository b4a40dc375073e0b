import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { pickWithAccounts, traderDetail } from './support/trader-detail.ts';
import { tradersList } from './support/traders-list.ts';

const picture = (page: Page, name: string) =>
  page.screenshot({
    path: fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url)),
    animations: 'disabled',
  });

const LIST = '/?tab=connected';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('traders', async ({ page }) => {
      await page.goto(LIST);
      await expect(tradersList(page).row(15)).toContainText('Connected');
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      await picture(page, `traders-${colorScheme}`);
    });
  });
}

test('trader', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  const { positions, equity } = traderDetail(page);
  await page.goto(`/trader/${trader.id}`);
  await expect(positions.getByRole('row').nth(1)).toBeVisible();
  await expect(equity.getByRole('img', { name: /^Equity from/ })).toBeVisible();
  await picture(page, 'trader');
});

test('invoices', async ({ page }) => {
  await page.goto('/invoices?tab=unpaid');
  await expect(page.getByRole('row').nth(5)).toContainText('overdue');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await picture(page, 'invoices');
});

test.describe('dark', () => {
  test.use({ colorScheme: 'dark' });

  test('an invoice', async ({ page, api }) => {
    const { data } = await api.call('GET /api/invoices/admin/all', { query: { status: 'paid', limit: '1' } });
    await page.goto(`/invoices?tab=paid&invoice=${data[0]?.id}`);
    await expect(page.getByText('Split', { exact: true })).toBeVisible();
    await expect(page.getByRole('row').nth(5)).toContainText('Paid');
    await picture(page, 'invoice');
  });
});

test.describe('signed out', () => {
  test.use({ persona: null });

  test('sign-in', async ({ page }) => {
    await page.goto('/sign-in');
    await expect(page.getByRole('button', { name: 'Super admin', exact: true })).toBeVisible();
    await picture(page, 'sign-in');
  });
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });

  test('traders', async ({ page }) => {
    await page.goto(LIST);
    await expect(tradersList(page).row(5)).toContainText('Connected');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await picture(page, 'traders-phone');
  });
});
