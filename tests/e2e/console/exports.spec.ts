import { readFile } from 'node:fs/promises';
import { linesOfCsv } from '../../support/csv-lines.ts';
import { expect, test } from '../support/test.ts';

test('a worker writes a list while the page shows how far it is, and its file is whole', async ({
  page,
  api,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^\w+, account of/ }).click();
  await page.getByRole('menuitem', { name: 'Your exports' }).click();
  await expect(page.getByRole('heading', { name: 'No exports yet' })).toBeVisible();
  const query = { status: 'paid', orderBy: 'created_at', orderDir: 'asc' } as const;
  const { meta } = await api.call('GET /api/invoices/admin/all', { query: { ...query, limit: '1' } });
  await api.call('POST /api/exports', { body: { list: 'invoices', query } });

  // By an event, without a reload.
  const row = page.getByRole('table', { name: 'Your exports, newest first' }).getByRole('row').nth(1);
  await expect(row).toContainText('Status: paid · By created at, ascending');
  await expect(row).toContainText('Ready');
  await expect(page.getByText('Export ready', { exact: true })).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download the export of Invoices' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^invoices-\d{4}-\d\d-\d\d\.csv$/);
  expect(linesOfCsv(await readFile(await file.path()))).toHaveLength(meta.total + 1);

  await row.getByRole('button', { name: 'Delete the export of Invoices' }).click();
  await page.getByRole('button', { name: 'Delete export' }).click();
  await expect(page.getByRole('heading', { name: 'No exports yet' })).toBeVisible();
});
