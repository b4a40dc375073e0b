import { invoicesScreen } from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// What the server refuses.
test.use({ expectedComplaint: FAILED_REQUEST });

test('a draft of invoices is looked at, a trader is left out, and no invoice is made of it', async ({
  page,
  api,
}) => {
  await page.goto('/invoices');
  const { dialog } = invoicesScreen(page);
  await page.getByRole('button', { name: 'Run invoicing' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('heading', { name: 'Draft of invoices' })).toBeVisible();
  const send = page.getByRole('button', { name: /^Send \d+ invoices?$/ });
  await expect(send).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  const runOf = async () => (await api.call('GET /api/invoices/runs/{id}', { params: { id } })).data;
  const before = await runOf();
  expect(before).toMatchObject({ state: 'draft', sent_by: null });
  // The demo world has closed positions that were not invoiced.
  expect(before.invoices).toBeGreaterThan(1);
  await expect(send).toHaveText(`Send ${before.invoices} invoices`);

  const box = page.getByRole('checkbox', { name: /^Include (?!all)/ }).first();
  const name = (await box.getAttribute('aria-label'))?.replace('Include ', '') ?? '';
  await box.click();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Left out by hand');
  await expect(page.getByRole('tab', { name: /^Left out by hand/ })).toHaveText(/1$/);
  const after = await runOf();
  expect(after.invoices).toBeLessThan(before.invoices);
  await page.reload();
  await expect(row.getByRole('checkbox')).not.toBeChecked();

  // Another person discards it meanwhile.
  await page.getByRole('button', { name: /^Send/ }).click();
  await api.call('POST /api/invoices/runs/{id}/discard', { params: { id } });
  await dialog.getByRole('button', { name: /^Send/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('no longer a draft');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Discarded')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send/ })).toHaveCount(0);
});
