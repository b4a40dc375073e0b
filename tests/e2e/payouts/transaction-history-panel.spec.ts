import { readFile } from 'node:fs/promises';
import { formatCount } from '@copydesk/domain/money';
import { expect, test } from '../support/test.ts';
import { listPayouts, transactionHistory } from '../support/transaction-history.ts';

test('a link opens it: its steps, and the shares of invoices that it pays', async ({ page, api }) => {
  const { data } = await listPayouts(api, { status: 'distributed' });
  const id = data[0]?.id ?? '';
  const payout = (await api.call('GET /api/sweep-operations/{id}', { params: { id } })).data;
  await page.goto(`/transaction-history?payout=${id}`);
  const panel = transactionHistory(page).panel(id);
  await expect(panel.getByText('Community', { exact: true }).locator('..')).toContainText(
    payout.community?.name ?? '',
  );
  await expect(panel.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveText([
    /^Created/,
    /^Consolidated/,
    /^Distributed/,
  ]);
  const shares = panel.getByRole('list', { name: 'What it pays' }).getByRole('listitem');
  await expect(shares).toHaveCount(payout.payables.length);
  await expect(shares.first().getByRole('link')).toHaveAttribute(
    'href',
    `/invoices?invoice=${payout.payables[0]?.invoice_id}`,
  );
});

test('filters appear in the URL and as chips, and can be removed', async ({ page, api }) => {
  const { meta } = await listPayouts(api, { status: 'distributed', recipient_type: 'mark' });
  await page.goto('/transaction-history');
  const { filter, pages, totals } = transactionHistory(page);
  await filter('Status').click();
  await page.getByRole('option', { name: 'Distributed' }).click();
  await filter('Recipient Type').click();
  await page.getByRole('option', { name: 'Mark' }).click();
  await expect(page).toHaveURL('/transaction-history?status=distributed&type=mark');
  await expect(pages).toContainText(`of ${formatCount(meta.total)}`);
  await expect(totals.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove filter Status Distributed' }).click();
  await expect(page).toHaveURL('/transaction-history?type=mark');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/transaction-history');
});

test('the export holds the filtered rows', async ({ page, api }) => {
  const { meta } = await listPayouts(api, { status: 'failed' });
  await page.goto('/transaction-history?status=failed');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^payouts-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(meta.total + 1);
});
