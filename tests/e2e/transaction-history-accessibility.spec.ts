import { expectAccessible } from './support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import { listPayouts, transactionHistory } from './support/transaction-history.ts';

test('the Transaction History', async ({ page }) => {
  await page.goto('/transaction-history?status=distributed');
  await expect(transactionHistory(page).rows.first()).toBeVisible();
  await expectAccessible(page);
});

test('a figure with a tooltip', async ({ page }) => {
  await page.goto('/transaction-history');
  const { totals, tip } = transactionHistory(page);
  await totals.getByRole('button').first().focus();
  await expect(tip).toBeVisible();
  await expectAccessible(page);
});

test('a payout', async ({ page, api }) => {
  const { data } = await listPayouts(api, { status: 'distributed' });
  const id = data[0]?.id ?? '';
  await page.goto(`/transaction-history?payout=${id}`);
  await expect(transactionHistory(page).panel(id).getByRole('list', { name: 'Steps' })).toBeVisible();
  await expectAccessible(page);
});

test('nothing found', async ({ page }) => {
  await page.goto('/transaction-history?find=0x00000000');
  await expect(page.getByRole('heading', { name: 'No sweep operations found.' })).toBeVisible();
  await expectAccessible(page);
});

test.describe('when the server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('the Transaction History', async ({ page }) => {
    await page.route('**/api/sweep-operations/**', (route) => route.fulfill({ status: 403, json: {} }));
    await page.goto('/transaction-history');
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expectAccessible(page);
  });
});
