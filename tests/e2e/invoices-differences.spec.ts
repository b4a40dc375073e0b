import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/test.ts';

test('what an exchange corrected of an invoice is deducted, and listed as an open deduction', async ({
  page,
  api,
}) => {
  const { data } = await api.call('GET /api/invoices/differences');
  const amount = Number(data[0]?.amount);
  expect(amount).toBeGreaterThan(0);
  await page.goto('/invoices');
  await page.getByRole('button', { name: 'Show differences' }).click();
  const dialog = page.getByRole('dialog', { name: 'Differences between invoices and exchanges' });
  await dialog.getByRole('button', { name: 'Deduct' }).click();
  await page
    .getByRole('dialog', { name: /^Deduct/ })
    .getByRole('button', { name: /^Deduct/ })
    .click();
  await expect(dialog).toContainText('No differences');
  const row = dialog.getByRole('table', { name: 'Deductions, latest first' }).getByRole('row').nth(1);
  await expect(row).toContainText(data[0]?.symbol ?? '');
  const decided = row.getByRole('cell').first().locator('span');
  await expect(decided).toContainText('by super@demo.example');
  expect(await decided.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const [deduction] = (await api.call('GET /api/invoices/deductions')).data;
  expect(deduction).toMatchObject({ used: '0', left: deduction?.amount });
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const cards = dialog.getByRole('list', { name: 'Deductions, latest first' });
  await expect(cards).toContainText('by super@demo.example');
  expect(await cards.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});
