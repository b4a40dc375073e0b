import { readFile } from 'node:fs/promises';
import { formatCount, formatDate, shortId } from '@copydesk/domain/money';
import { payoutPeriod } from '@copydesk/domain/payouts';
import { linesOfCsv } from '../../support/csv-lines.ts';
import { openStill, withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import {
  listPayouts,
  type Payout,
  type Payouts,
  transactionHistory,
} from '../support/transaction-history.ts';

// The answer that the last test refuses.
test.use({ expectedComplaint: FAILED_REQUEST });

const LIST = '/api/sweep-operations/admin/all';
const words = (text: string) => new RegExp(text.replaceAll('_', ' '), 'i');

test('the navigation leads to the newest payouts with all that is known of each', async ({ page }) => {
  await openStill(page, '/invoices', 'GET /api/me');
  const told = page.waitForResponse(`**${LIST}?*`);
  await page.getByRole('link', { name: 'Transaction History' }).click();
  const { data, meta }: Payouts = await (await told).json();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transaction History');
  const { rows, pages } = transactionHistory(page);
  for (const [index, payout] of data.slice(0, 5).entries()) {
    // After the box that selects it.
    const cell = (nth: number) =>
      rows
        .nth(index)
        .getByRole('gridcell')
        .nth(nth + 1);
    const time = payout.created_at.slice(11, 16);
    await expect(cell(0)).toHaveText(`${formatDate(payout.created_at)} ${time}`);
    await expect(cell(1)).toContainText(payout.status);
    if (payout.is_imported) await expect(cell(1)).toContainText('Imported');
    await expect(cell(2)).toHaveText(words(payout.recipient_type));
    await expect(cell(2)).toContainText(payout.community?.name ?? '');
    await expect(cell(3)).toHaveText(shortId(payout.recipient_address));
    await expect(cell(3).getByTitle(payout.recipient_address)).toBeVisible();
    await expect(cell(4)).toHaveText(amountOf(payout));
  }
  await expect(pages).toContainText(`Showing 1–20 of ${formatCount(meta.total)}`);
  await expect(pages).toContainText(`Page 1 / ${Math.ceil(meta.total / 20)}`);
});

const amountOf = ({ total_amount }: Payout) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(
    total_amount as `${number}`,
  );

test('totals, filters, order, search and the export are those of the API', async ({ page, api }) => {
  const { data } = await openStill(page, '/transaction-history', 'GET /api/sweep-operations/summary');
  const history = transactionHistory(page);
  await expect(history.totals.getByRole('listitem')).toHaveCount(data.length);
  const [first] = data;
  if (!first) throw new Error('no payouts');
  const figure = history.totals.getByRole('button').first();
  await expect(figure).toContainText(words(first.recipient_type));
  await expect(figure).toContainText(formatCount(Math.round(Number(first.total_amount))));
  await expect(figure).toContainText(`${formatCount(first.count)} transactions`);
  await figure.focus();
  await expect(history.tip).toContainText(payoutPeriod(first.first_at, first.last_at).label);
  await expect(history.tip).toContainText('Average per month');
  await expect(history.tip).toContainText(formatDate(first.first_at));
  await expect(history.tip).toContainText(formatDate(first.last_at));

  const { filter, rows, pages, sortBy, searchBox } = history;
  await sortBy('Amount (USDT)');
  const largest = await listPayouts(api, { orderBy: 'amount', limit: '1' });
  await expect(rows.first()).toContainText(amountOf(largest.data[0] as Payout));
  await filter('Status').click();
  await page.getByRole('option', { name: 'Distributed' }).click();
  await filter('Recipient Type').click();
  await page.getByRole('option', { name: 'Mark' }).click();
  const narrowed = await listPayouts(api, { status: 'distributed', recipient_type: 'mark' });
  await expect(pages).toContainText(`of ${formatCount(narrowed.meta.total)}`);
  await expect(history.totals.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear all' }).click();

  await searchBox.fill('failed');
  await searchBox.press('Enter');
  await expect(page).toHaveURL(/status=failed/);
  const failed = await listPayouts(api, { status: 'failed' });
  await expect(pages).toContainText(`of ${formatCount(failed.meta.total)}`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^payouts-\d{4}-\d\d-\d\d\.csv$/);
  const lines = linesOfCsv(await readFile(await file.path()));
  expect(lines).toHaveLength(failed.meta.total + 1);
});

test('a link of before leads to a payout: its timeline, what it pays, and why it failed', async ({
  page,
  api,
}) => {
  const { data } = await listPayouts(api, { status: 'distributed' });
  const id = data[0]?.id ?? '';
  const payout = (await api.call('GET /api/sweep-operations/{id}', { params: { id } })).data;
  await page.goto('/sweep-operations');
  await expect(page).toHaveURL('/transaction-history');
  await page.goto(`/transaction-history?payout=${id}`);
  const panel = transactionHistory(page).panel(id);
  await expect(panel.getByText('Community', { exact: true }).locator('..')).toContainText(
    payout.community?.name ?? '',
  );
  const story = panel.getByRole('list', { name: 'What happened, latest first' }).getByRole('listitem');
  await expect(story.first()).toHaveText(/^Payout final/);
  await expect(story.filter({ hasText: /^Payout ordered/ })).toHaveCount(1);
  const shares = panel.getByRole('list', { name: 'What it pays' }).getByRole('listitem');
  await expect(shares).toHaveCount(payout.payables.length);
  await expect(shares.first().getByRole('link')).toHaveAttribute(
    'href',
    `/invoices/${payout.payables[0]?.invoice_id}`,
  );
  const failed = await listPayouts(api, { status: 'failed', limit: '1' });
  await page.goto(`/transaction-history?status=failed&payout=${failed.data[0]?.id}`);
  await expect(transactionHistory(page).panel(failed.data[0]?.id ?? '')).toContainText(
    /You can |cannot be paid again|pending again/,
  );

  // The server refuses: Retry loads the page again.
  await withoutNews(page);
  await page.route(`**${LIST}?*`, (route) =>
    route.fulfill({ status: 403, json: { success: false, error: 'refused', message: 'No' } }),
  );
  await page.goto('/transaction-history');
  await expect(page.getByRole('alert').getByRole('heading')).toHaveText('Authentication Error');
  await page.unroute(`**${LIST}?*`);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Retry', exact: true }).click(),
  ]);
  await expect(transactionHistory(page).rows.first()).toBeVisible();
});
