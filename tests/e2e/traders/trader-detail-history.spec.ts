import { readFileSync } from 'node:fs';
import { formatPnl } from '@copydesk/domain/trading';
import type { Api } from '../support/api.ts';
import { expect, test } from '../support/test.ts';
import { getDetail, traderDetail } from '../support/trader-detail.ts';
import { listTraders } from '../support/traders-list.ts';

/** A trader with more than two pages of history. */
async function pickWithHistory(api: Api) {
  const { data } = await listTraders(api, { tab: 'connected', limit: '30' });
  for (const { id } of data) {
    const { meta } = await api.call('GET /api/traders/{id}/closed-positions', { params: { id } });
    if (meta.total > 40) return { ...(await getDetail(api, id)), meta };
  }
  throw new Error('The demo world has no such trader.');
}

test('is counted and summed as a whole, and shown in pages', async ({ page, api }) => {
  const trader = await pickWithHistory(api);
  const { history } = traderDetail(page);
  await page.goto(`/trader/${trader.id}`);
  await expect(history.getByRole('heading', { name: `Position History ${trader.meta.total}` })).toBeVisible();
  await expect(history.getByText(`Total Net Profit ${formatPnl(trader.meta.net_profit)}`)).toBeVisible();
  await expect(history.getByRole('columnheader')).toHaveText([
    'Symbol',
    'Side',
    'Entry Price',
    'Exit Price',
    'Leverage',
    '% Change',
    'PnL',
    'Date',
  ]);
  await expect(history.getByRole('row')).toHaveCount(21);
  await expect(history.getByText(`1–20 of ${trader.meta.total}`)).toBeVisible();
  await history.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(history.getByText(`21–40 of ${trader.meta.total}`)).toBeVisible();
  await history.getByRole('button', { name: 'Previous page' }).click();
  await expect(page).not.toHaveURL(/page/);

  // A page beyond the end leads to the first.
  await page.goto(`/trader/${trader.id}?page=900`);
  await expect(history.getByText(`1–20 of ${trader.meta.total}`)).toBeVisible();
});

test('a profit that is not known reads N/A, and the sums say how many they leave out', async ({
  page,
  api,
}) => {
  const trader = await pickWithHistory(api);
  await page.route(`**/api/traders/${trader.id}/closed-positions?**`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(body.data[0], { symbol: 'BTCUSD', closed_pnl: null, fees_included: false });
    body.meta.unknown_profit = 3;
    await route.fulfill({ response, json: body });
  });
  await page.route(`**/api/traders/${trader.id}/pnl-days?**`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(body.data.at(-1), { closed_pnl: null, positions: 1, unknown_profit: 1 });
    await route.fulfill({ response, json: body });
  });
  await page.goto(`/trader/${trader.id}`);
  const { history, calendar } = traderDetail(page);
  const row = history.getByRole('row').filter({ hasText: 'BTCUSD' }).first();
  await expect(row.getByRole('cell').nth(6)).toHaveText('N/A');
  await expect(row.getByTitle('The exchange does not report this position’s profit in USD')).toBeVisible();
  await expect(
    history.getByText(`Total Net Profit ${formatPnl(trader.meta.net_profit)}3 positions not counted`),
  ).toBeVisible();
  await expect(calendar.getByText('N/A', { exact: true })).toBeVisible();
  await expect(calendar.getByText('1 position not counted')).toBeVisible();
});

test('is sorted by the server, and the URL keeps the choice', async ({ page, api }) => {
  const trader = await pickWithHistory(api);
  const { history } = traderDetail(page);
  const { data } = await api.call('GET /api/traders/{id}/closed-positions', {
    params: { id: trader.id },
    query: { orderBy: 'closed_pnl', orderDir: 'desc', limit: '1' },
  });
  await page.goto(`/trader/${trader.id}`);
  const column = history.getByRole('columnheader', { name: 'PnL' });
  await column.getByRole('button').press('Enter');
  await expect(column).toHaveAttribute('aria-sort', 'descending');
  await expect(history.getByRole('row').nth(1)).toContainText(formatPnl(data[0]?.closed_pnl));
  await column.getByRole('button').press('Enter');
  await expect(column).toHaveAttribute('aria-sort', 'ascending');
  await page.reload();
  await expect(column).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('button', { name: 'Back to Traders' }).click();
  await expect(page).toHaveURL('/');
});

test('is narrowed by symbol, account and days, and exported as it is shown', async ({ page, api }) => {
  const trader = await pickWithHistory(api);
  const { history } = traderDetail(page);
  const first = await api.call('GET /api/traders/{id}/closed-positions', {
    params: { id: trader.id },
    query: { limit: '1' },
  });
  const symbol = first.data[0]?.symbol ?? '';
  const { meta } = await api.call('GET /api/traders/{id}/closed-positions', {
    params: { id: trader.id },
    query: { symbol },
  });
  await page.goto(`/trader/${trader.id}`);
  await history.getByRole('textbox', { name: 'Symbol' }).fill(symbol.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(history.getByRole('heading', { name: `Position History ${meta.total}` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`symbol=${symbol}`));

  const download = page.waitForEvent('download');
  await history.getByRole('button', { name: 'Export CSV' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(lines).toHaveLength(meta.total + 1);
  expect(lines.slice(1).every((line) => line.includes(symbol))).toBe(true);

  await history.getByLabel('To', { exact: true }).fill('2010-01-01');
  await expect(history.getByText('No positions found')).toBeVisible();
  await history.getByRole('button', { name: 'Clear filters' }).click();
  await expect(history.getByRole('heading', { name: `Position History ${trader.meta.total}` })).toBeVisible();
});

test('the charts follow the range, which the URL keeps', async ({ page, api }) => {
  const trader = await pickWithHistory(api);
  const { equity, calendar } = traderDetail(page);
  await page.goto(`/trader/${trader.id}`);
  await expect(page.getByRole('radio', { name: '90 days' })).toBeChecked();
  await expect(equity.getByRole('img', { name: /^Equity from / })).toBeVisible();
  await expect(equity.getByText('Deepest drawdown')).toBeVisible();
  await equity.getByText('Show as a table').click();
  await expect(equity.getByRole('row').nth(1)).toContainText('$');
  const name = await calendar.getByRole('status').textContent();
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  await expect(calendar.getByRole('status')).not.toHaveText(name ?? '');
  await expect(page).toHaveURL(/month=20\d\d-\d\d/);
  await page.getByText('1 year', { exact: true }).click();
  await expect(page).toHaveURL(/range=1y/);
  await expect(page).not.toHaveURL(/month=/);
  await page.reload();
  await expect(page.getByRole('radio', { name: '1 year' })).toBeChecked();
});

test.describe('the audit', () => {
  test('is visible to super admins', async ({ page, api }, { retry }) => {
    const trader = await pickWithHistory(api);
    // Another one at each attempt: what an attempt left stays in the audit.
    const changed = `KAIT-AUDIT-${retry}`;
    const before = { params: { id: trader.id }, body: { reference_number: trader.reference_number } };
    await api.call('PATCH /api/traders/{id}', { ...before, body: { reference_number: changed } });
    await api.call('PATCH /api/traders/{id}', before);
    await page.goto(`/trader/${trader.id}`);
    const { audit } = traderDetail(page);
    await expect(audit.getByText(`reference number: ${changed} → ${trader.reference_number}`)).toBeVisible();
  });

  test.describe('as staff', () => {
    test.use({ persona: 'staff' });

    test('is hidden from others, like traders of other providers', async ({ page, api }) => {
      const [trader] = (await listTraders(api, { tab: 'connected', limit: '1' })).data;
      if (!trader) throw new Error('no trader');
      const calls: string[] = [];
      page.on('request', (request) => calls.push(request.url()));
      await page.goto(`/trader/${trader.id}`);
      const { audit, keys, history } = traderDetail(page);
      await expect(keys.getByRole('listitem').first()).toBeVisible();
      await expect(history.getByRole('row').first()).toBeVisible();
      await expect(audit).toHaveCount(0);
      expect(calls.filter((url) => url.includes('/audit'))).toEqual([]);
    });
  });
});
