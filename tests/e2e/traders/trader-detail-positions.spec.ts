import { expect, test } from '../support/test.ts';
import { pickWithAccounts, traderDetail } from '../support/trader-detail.ts';

test('the exchanges are read for each account, and every group says when', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  const { positions } = traderDetail(page);
  const answers = Promise.all(
    trader.exchanges.map(({ acc_uid }) =>
      page.waitForResponse((response) => response.url().endsWith(`/positions?acc_uid=${acc_uid}`)),
    ),
  );
  await page.goto(`/trader/${trader.id}`);
  const told = await Promise.all((await answers).map((response) => response.json()));
  const count = told.reduce((sum, { data }) => sum + data.length, 0);
  await expect(positions.getByRole('heading', { name: `Active Positions ${count}` })).toBeVisible();
  await expect(positions.locator('time')).toHaveCount(told.filter(({ data }) => data.length > 0).length);
});
