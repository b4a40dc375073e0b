import { formatCount } from '@copydesk/domain/money';
import { withoutNews } from '../support/news.ts';
import { expect, test } from '../support/test.ts';
import { listTraders, pickTrader, tradersList } from '../support/traders-list.ts';

const MARK = 'Below minimum balance';

test('the list marks and filters traders below the minimum balance', async ({ page, api }) => {
  await withoutNews(page);
  const { meta } = await listTraders(api, { tab: 'connected', below_minimum_balance: 'true' });
  await page.goto('/?tab=connected');
  const list = tradersList(page);
  await list.filter('Balance').first().click();
  await page.getByRole('option', { name: MARK }).click();
  await expect(page).toHaveURL(/below=/);
  await expect(list.found).toHaveText(`${formatCount(meta.total)} traders found`);
  await expect(list.row(0)).toContainText(MARK);
  await page.reload();
  await expect(list.row(0)).toContainText(MARK);
  await page.getByRole('button', { name: `Remove filter Balance ${MARK}` }).click();
  await expect(page).not.toHaveURL(/below=/);
});

test('connecting a trader below it says so, and only then', async ({ page, api }) => {
  const { id } = await pickTrader(api, { tab: 'inbox', below_minimum_balance: 'true' });
  await page.goto(`/trader/${id}`);
  await expect(page.getByText(MARK)).toBeVisible();
  const status = page.getByRole('combobox', { name: 'Trader Status' });
  const dialog = page.getByRole('dialog', { name: 'Confirm Status Change' });
  await status.selectOption('connected');
  await expect(dialog).toContainText('below the minimum balance of its community');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await status.selectOption('delinquent');
  await expect(dialog).toBeVisible();
  await expect(dialog).not.toContainText('below the minimum balance');
});
