import { readFileSync } from 'node:fs';
import { formatPnl } from '@copydesk/domain/trading';
import { linesOfCsv } from '../../support/csv-lines.ts';
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

test('is counted, summed, paged, sorted, narrowed and exported as the API answers it', async ({
  page,
  api,
}) => {
  const trader = await pickWithHistory(api);
  const { history, equity, calendar } = traderDetail(page);
  await page.goto(`/trader/${trader.id}`);
  // It is read when it comes into view.
  await history.scrollIntoViewIfNeeded();
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

  const best = await api.call('GET /api/traders/{id}/closed-positions', {
    params: { id: trader.id },
    query: { orderBy: 'closed_pnl', orderDir: 'desc', limit: '1' },
  });
  const column = history.getByRole('columnheader', { name: 'PnL' });
  await column.getByRole('button').press('Enter');
  await expect(column).toHaveAttribute('aria-sort', 'descending');
  await expect(history.getByRole('row').nth(1)).toContainText(formatPnl(best.data[0]?.closed_pnl));
  await page.reload();
  await expect(column).toHaveAttribute('aria-sort', 'descending');

  const first = await api.call('GET /api/traders/{id}/closed-positions', {
    params: { id: trader.id },
    query: { limit: '1' },
  });
  const symbol = first.data[0]?.symbol ?? '';
  const { meta } = await api.call('GET /api/traders/{id}/closed-positions', {
    params: { id: trader.id },
    query: { symbol },
  });
  await history.getByRole('textbox', { name: 'Symbol' }).fill(symbol.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(history.getByRole('heading', { name: `Position History ${meta.total}` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`symbol=${symbol}`));

  const download = page.waitForEvent('download');
  await history.getByRole('button', { name: 'Export CSV' }).click();
  const lines = linesOfCsv(readFileSync(await (await download).path()));
  expect(lines).toHaveLength(meta.total + 1);
  expect(lines.slice(1).every((line) => line.includes(symbol))).toBe(true);

  await history.getByRole('search').getByRole('button', { name: 'Date' }).click();
  const days = page.getByRole('dialog', { name: 'Filter by date' });
  await days.getByLabel('Last day').fill('2010-01-01');
  await days.getByRole('button', { name: 'Apply' }).click();
  await expect(history.getByText('No positions found')).toBeVisible();
  await history.getByRole('button', { name: 'Clear filters' }).click();
  await expect(history.getByRole('heading', { name: `Position History ${trader.meta.total}` })).toBeVisible();

  await expect(equity.getByRole('img', { name: /^Equity from / })).toBeVisible();
  await equity.getByText('Show as a table').click();
  // A day of an invoice alone has no reading.
  await expect(equity.getByRole('row').filter({ hasText: '$' }).first()).toBeVisible();
  await page.getByText('1 year', { exact: true }).click();
  await expect(page).toHaveURL(/range=1y/);
  await expect(calendar.getByRole('table')).toBeVisible();
});

test('the audit shows super admins what changed', async ({ page, api }, { retry }) => {
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
