import { invoicesScreen } from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';

test('a view is kept under a name, applied, replaced, deleted, and brought back', async ({ page, api }) => {
  const VIEWS = { query: { screen: 'invoices' } } as const;
  const name = 'Overdue, largest first';
  const views = page.getByRole('button', { name: /^Views/ });
  const box = page.getByRole('dialog', { name: 'Saved views' });
  const field = box.getByRole('textbox', { name: 'Name of the view' });
  try {
    await page.goto('/invoices?overdue=true&tab=unpaid&sort=amount&page=2');
    await expect(invoicesScreen(page).groups.first()).toBeVisible();
    await views.click();
    await expect(box).toContainText('can be kept under a name');
    await field.fill(name);
    await box.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('View saved', { exact: true })).toBeVisible();
    await expect(box.getByRole('button', { name, exact: true })).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: `Views: ${name}` })).toBeVisible();

    await page.goto('/invoices?exchange=okx&rows=25');
    await views.click();
    await box.getByRole('button', { name, exact: true }).click();
    await expect(page).toHaveURL(/\/invoices\?overdue=true&tab=unpaid&sort=amount&saved=[0-9a-f-]{36}$/);
    await expect(box).toHaveCount(0);

    await page.goto('/invoices?tab=paid');
    await views.click();
    await field.fill(name);
    await box.getByRole('button', { name: 'Replace' }).click();
    await expect(box.getByRole('button', { name, exact: true })).toHaveAttribute('aria-current', 'true');
    expect((await api.call('GET /api/saved-views', VIEWS)).data).toMatchObject([{ name, query: 'tab=paid' }]);

    await box.getByRole('button', { name: `Delete view ${name}` }).click();
    await expect(page.getByText('View deleted', { exact: true })).toBeVisible();
    await expect(box.getByRole('button', { name, exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(async () => {
      expect((await api.call('GET /api/saved-views', VIEWS)).data).toHaveLength(1);
    }).toPass();
  } finally {
    for (const { id } of (await api.call('GET /api/saved-views', VIEWS)).data)
      await api.call('DELETE /api/saved-views/{id}', { params: { id } });
  }
});
