import { formatCount, formatDate, shortId } from '@copydesk/domain/money';
import { payoutPeriod } from '@copydesk/domain/payouts';
import { openStill, withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import {
  listPayouts,
  type Payout,
  type Payouts,
  transactionHistory,
} from '../support/transaction-history.ts';

const SUBTITLE = 'All distribution payouts across communities. Links open on BscScan.';
const LIST = '/api/sweep-operations/admin/all';
const words = (text: string) => new RegExp(text.replaceAll('_', ' '), 'i');

test('the navigation leads to the newest payouts with all that is known of each', async ({ page }) => {
  await openStill(page, '/invoices', 'GET /api/me');
  const told = page.waitForResponse(`**${LIST}?*`);
  await page.getByRole('link', { name: 'Transaction History' }).click();
  const { data, meta }: Payouts = await (await told).json();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transaction History');
  await expect(page.getByText(SUBTITLE)).toBeVisible();
  const { table, rows, pages } = transactionHistory(page);
  await expect(table.getByRole('columnheader')).toHaveText([
    'Date',
    'Status',
    'Recipient Type',
    'Recipient Address',
    'Amount (USDT)',
    'Consolidate Tx',
    'Distribute Tx',
  ]);
  for (const [index, payout] of data.slice(0, 5).entries()) {
    const cells = rows.nth(index).getByRole('gridcell');
    const time = payout.created_at.slice(11, 16);
    await expect(cells.nth(0)).toHaveText(`${formatDate(payout.created_at)} ${time} UTC`);
    await expect(cells.nth(1)).toContainText(payout.status);
    if (payout.is_imported) await expect(cells.nth(1)).toContainText('Imported');
    await expect(cells.nth(2)).toHaveText(words(payout.recipient_type));
    await expect(cells.nth(2)).toContainText(payout.community?.name ?? '');
    await expect(cells.nth(3)).toHaveText(shortId(payout.recipient_address));
    await expect(cells.nth(3).getByTitle(payout.recipient_address)).toBeVisible();
    await expect(cells.nth(4)).toHaveText(amountOf(payout));
  }
  await expect(pages).toContainText(`Showing 1–20 of ${formatCount(meta.total)}`);
  await expect(pages).toContainText(`Page 1 / ${Math.ceil(meta.total / 20)}`);
});

const amountOf = ({ total_amount }: Payout) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(
    total_amount as `${number}`,
  );

test('transactions are shown by 8 characters and lead to the explorer', async ({ page }) => {
  const { data } = await openStill(page, '/transaction-history?status=distributed', `GET ${LIST}`);
  const [payout] = data;
  const links = transactionHistory(page).rows.first().getByRole('link');
  const hashes = [payout?.consolidate_transaction_hash, payout?.distribute_transaction_hash];
  for (const [index, hash] of hashes.entries()) {
    await expect(links.nth(index)).toContainText(hash?.slice(0, 8) ?? '');
    await expect(links.nth(index)).not.toContainText(hash?.slice(0, 9) ?? '');
    await expect(links.nth(index)).toHaveAttribute('href', `https://bscscan.com/tx/${hash}`);
    await expect(links.nth(index)).toHaveAttribute('rel', /noopener/);
  }
});

test('each recipient type has its total and its parts, and details on hover', async ({ page }) => {
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
  await page.keyboard.press('Escape');
  await expect(history.tip).toHaveCount(0);

  const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  const failing = data.findIndex(({ failed }) => failed.count > 0);
  const summary = data[failing];
  const tile = history.totals.getByRole('listitem').nth(failing);
  await expect(tile).toContainText(`${whole.format(Number(summary?.paid.amount))} USDT paid`);
  await expect(tile).toContainText(`${whole.format(Number(summary?.failed.amount))} USDT failed`);
  expect(Number(summary?.paid.amount)).toBeLessThan(Number(summary?.total_amount));
});

test('pages, page sizes and orders appear in the URL', async ({ page, api }) => {
  const { meta } = await listPayouts(api);
  await page.goto('/transaction-history');
  const { pages, rows, sortBy, column } = transactionHistory(page);
  const button = (name: string) => pages.getByRole('button', { name, exact: true });
  await expect(button('First')).toBeDisabled();
  await expect(button('Prev')).toBeDisabled();
  await button('Next').click();
  await expect(page).toHaveURL('/transaction-history?page=2');
  await expect(pages).toContainText(`Showing 21–40 of ${formatCount(meta.total)}`);
  await button('Last').click();
  await expect(pages).toContainText(`–${formatCount(meta.total)} of ${formatCount(meta.total)}`);
  await expect(button('Next')).toBeDisabled();
  await button('Prev').click();
  await button('First').click();
  await expect(page).toHaveURL('/transaction-history');
  await pages.getByRole('combobox', { name: 'Rows per page' }).selectOption('50');
  await expect(page).toHaveURL('/transaction-history?rows=50');
  await expect(pages).toContainText('Showing 1–50 of');
  await sortBy('Amount (USDT)');
  await expect(column('Amount (USDT)')).toHaveAttribute('aria-sort', 'descending');
  const { data } = await listPayouts(api, { orderBy: 'amount', limit: '1' });
  await expect(rows.first()).toContainText(amountOf(data[0] as Payout));
  await page.goto('/transaction-history?page=9999');
  await expect(pages).toContainText(`Page ${Math.ceil(meta.total / 20)} / ${Math.ceil(meta.total / 20)}`);
});

test('a failed payout says why, in the list and beside it', async ({ page, api }) => {
  const { data } = await listPayouts(api, { status: 'failed', limit: '1' });
  await page.goto(`/transaction-history?status=failed&payout=${data[0]?.id}`);
  const panel = page.getByRole('complementary').or(page.getByRole('dialog')).filter({ hasText: 'Payout' });
  await expect(panel.first()).toContainText(/You can |cannot be paid again|pending again/);
  await expect(transactionHistory(page).rows.first().getByRole('gridcell').nth(1)).toContainText(/failed.+/i);
});

test('Enter searches all payouts, their sums included', async ({ page, api }) => {
  const { meta } = await listPayouts(api, { status: 'failed' });
  await page.goto('/transaction-history');
  const { rows, searchBox, pages } = transactionHistory(page);
  await expect(rows.first()).toBeVisible();
  await searchBox.fill('failed');
  const asked = page.waitForResponse((answer) =>
    /sweep-operations\/summary\?.*status=failed/.test(answer.url()),
  );
  await searchBox.press('Enter');
  await asked;
  await expect(page).toHaveURL('/transaction-history?status=failed');
  await expect(pages).toContainText(`of ${formatCount(meta.total)}`);
  await expect(searchBox).toHaveValue('');
  await searchBox.fill('zz');
  await expect(page).toHaveURL(/find=/);
  await searchBox.press('Enter');
  await expect(searchBox).toHaveValue('zz');
  await expect(page.getByRole('button', { name: /^Search all/ })).toHaveCount(0);
});

test('the old address leads here', async ({ page }) => {
  await page.goto('/sweep-operations');
  await expect(page).toHaveURL('/transaction-history');
});

test.describe('when the server refuses', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('Retry loads the page again', async ({ page }) => {
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
});
