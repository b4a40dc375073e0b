import { expect, FAILED_REQUEST, test } from './support/test.ts';
import {
  changeRecord,
  LIVE_POSITIONS,
  pickWithAccounts,
  servePositions,
  traderDetail,
} from './support/trader-detail.ts';

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

test('figures are those of the formulas, and the groups open and close', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const [account] = trader.exchanges;
  const { positions } = traderDetail(page);
  await servePositions(page, () => [
    {},
    {
      symbol: 'ETHUSDT',
      side: 'short',
      entryPrice: '3000',
      markPrice: '3030',
      leverage: '5',
      contracts: '2',
      unrealizedPnl: '-60',
    },
    { symbol: 'OPUSDT', markPrice: null, leverage: null, unrealizedPnl: null },
  ]);
  await page.goto(`/trader/${trader.id}`);
  const rows = positions.getByRole('row');
  await expect(rows.nth(0).getByRole('columnheader')).toHaveText([
    'Symbol',
    'Side',
    'Entry Price',
    'Mark Price',
    'Leverage',
    'Size',
    '% Change',
    'Est. Liq Price',
    'PnL',
  ]);
  const cells = (row: number) => rows.nth(row).getByRole('cell');
  await expect(cells(1)).toHaveText([
    'BTCUSDT',
    'Long',
    '60,000.0000',
    '61,500.0000',
    '10x',
    '0.5',
    '+2.50%',
    '55,200.0000',
    '+$750.00',
  ]);
  await expect(cells(2)).toHaveText([
    'ETHUSDT',
    'Short',
    '3,000.0000',
    '3,030.0000',
    '5x',
    '2',
    '-1.00%',
    '3,480.0000',
    '-$60.00',
  ]);
  await expect(cells(3)).toHaveText([
    'OPUSDT',
    'Long',
    '60,000.0000',
    'N/A',
    'N/A',
    '0.5',
    'N/A',
    'N/A',
    'N/A',
  ]);

  const toggle = positions.getByRole('button', { name: account?.provider_name });
  await expect(toggle).toContainText('BYBIT');
  await expect(toggle).toContainText('3 positions');
  await expect(toggle).toContainText('+$690.00');
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await toggle.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(positions.getByRole('table')).toHaveCount(0);
  await toggle.press('Enter');
  await expect(positions.getByRole('table')).toHaveCount(1);
});

test('a failing exchange shows an error on its own group, with the last known data', async ({
  page,
  api,
}) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  const [failing, ...others] = trader.exchanges;
  if (!failing) throw new Error('no account');
  const { positions, group } = traderDetail(page);
  const read_at = '2026-01-01T10:00:00.000Z';
  const { exchange, acc_uid, provider_name } = failing;
  await changeRecord(page, trader.id, {
    active_positions: [
      {
        symbol: 'LTCUSDT',
        side: 'long',
        entryPrice: '90',
        markPrice: '99',
        leverage: '2',
        contracts: '1',
        unrealizedPnl: '9',
        exchange,
        acc_uid,
        provider_name,
        read_at,
      },
    ],
  });
  let fails = true;
  await servePositions(page, (uid) => (uid === acc_uid && fails ? 'failed' : [{ symbol: 'XRPUSDT' }]));
  await page.goto(`/trader/${trader.id}`);
  const failed = group(new RegExp(exchange.toUpperCase())).filter({ has: page.getByRole('alert') });
  await expect(failed.getByRole('alert')).toHaveText(
    'Error loading positions. The exchange did not answer in time. These are the last known ones.',
  );
  await expect(failed.getByRole('cell', { name: 'LTCUSDT' })).toBeVisible();
  await expect(failed.getByText(/^as of Jan 1/)).toBeVisible();
  await expect(positions.getByRole('cell', { name: 'XRPUSDT' })).toHaveCount(others.length);

  fails = false;
  await positions.getByRole('button', { name: 'Refresh positions' }).click();
  await expect(positions.getByRole('alert')).toHaveCount(0);
  await expect(positions.getByRole('cell', { name: 'XRPUSDT' })).toHaveCount(trader.exchanges.length);
});

test('says that it is loading, and that nothing could be loaded', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const { positions } = traderDetail(page);
  await changeRecord(page, trader.id, { active_positions: [] });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await servePositions(page, () => 'failed');
  await page.route(LIVE_POSITIONS, async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(`/trader/${trader.id}`);
  await expect(positions.getByRole('status')).toHaveText('Loading active positions...');
  release();
  await expect(positions.getByRole('heading', { name: 'Error loading positions' })).toBeVisible();
  await expect(positions.getByText('Please try refreshing the data')).toBeVisible();
  await page.unrouteAll();
  await servePositions(page, () => []);
  await positions.getByRole('button', { name: 'Retry' }).click();
  await expect(positions.getByText('No active positions')).toBeVisible();
});

test.describe('when our own server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('the account shows it, and the rest of the screen remains', async ({ page, api }) => {
    const trader = await pickWithAccounts(api, ['bybit'], 1);
    const { positions, keys } = traderDetail(page);
    await changeRecord(page, trader.id, { active_positions: [] });
    await page.route(LIVE_POSITIONS, (route) =>
      route.fulfill({ status: 404, json: { success: false, error: 'not_found', message: 'Not found' } }),
    );
    await page.goto(`/trader/${trader.id}`);
    await expect(positions.getByRole('alert')).toContainText('Error loading positions');
    await expect(keys.getByText('API Key', { exact: true })).toBeVisible();
  });
});

test.describe('at phone width', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('positions are cards, and nothing scrolls sideways', async ({ page, api }) => {
    const trader = await pickWithAccounts(api, ['bybit'], 1);
    const { positions } = traderDetail(page);
    await servePositions(page, () => [{}]);
    await page.goto(`/trader/${trader.id}`);
    const card = positions.getByRole('list', { name: /^Active positions of/ }).getByRole('listitem');
    // Those last known are shown until the exchange has answered.
    await expect(card).toHaveCount(1);
    await expect(card).toContainText('BTCUSDT');
    await expect(card).toContainText('Est. Liq Price55,200.0000');
    await expect(positions.getByRole('table')).toHaveCount(0);
    const sideways = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
    expect(sideways).toBe(0);
  });
});
