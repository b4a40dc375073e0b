import { createApi } from '../support/api.ts';
import { invoicesScreen, listGroups, pickInvoice } from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test.use({ persona: 'staff' });

test('staff see the invoices of their provider, and nothing that they may not do', async ({
  page,
  api,
  baseURL,
}) => {
  const own = await listGroups(api);
  const all = await listGroups(await createApi(baseURL ?? '', 'super'));
  expect(own.meta.total).toBeGreaterThan(0);
  expect(own.meta.total).toBeLessThan(all.meta.total);
  // The demo world has few traders of several providers.
  await page.route('**/api/invoices/admin/groups?*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data[1].is_part = true;
    await route.fulfill({ response, json });
  });
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  await expect(list.groups.nth(1)).toContainText('your part');
  await expect(list.groups.nth(0)).not.toContainText('your part');
  await expect(list.found).toHaveText(`${own.meta.total} groups found`);
  await list.groups.first().press('Enter');
  const count = own.data[0]?.invoice_count ?? 0;
  await expect(list.invoices.getByText('Admin only', { exact: true })).toHaveCount(count);
  const { name } = (await api.call('GET /api/me')).data.providers[0] ?? { name: '' };
  await expect(list.invoices.getByText(name)).toHaveCount(count);

  await list.menu(own.data[0]?.reference_number ?? '').click();
  await expect(page.getByRole('menu')).toHaveText('Super admin access required');
  await expect(page.getByRole('menuitem', { disabled: false })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Run invoicing' })).toHaveCount(0);
  await list.groups.first().focus();
  await page.keyboard.press('x');
  await expect(list.bar).toHaveCount(0);
});

test('the panel offers staff nothing that they may not do', async ({ page, api }) => {
  const invoice = await pickInvoice(api, ({ status }) => status === 'pending');
  await page.goto(`/invoices?invoice=${invoice.id}`);
  const panel = invoicesScreen(page).panel(invoice.id);
  await expect(panel.getByText(/^Admin only/)).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'History' })).toBeVisible();
  await expect(panel.getByRole('button', { name: /Mark|Notify|Archive/ })).toHaveCount(0);
});

test.describe('of others', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('another provider’s invoices are neither listed nor opened', async ({ page, api, baseURL }) => {
    const mine = (await api.call('GET /api/me')).data.providers[0]?.id;
    const superAdmin = await createApi(baseURL ?? '', 'super');
    const own = new Set(
      (await listGroups(api, { limit: '1000' })).data.map((group) => group.reference_number),
    );
    const foreign = await pickInvoice(
      superAdmin,
      ({ provider, trader }) => provider?.id !== mine && !own.has(trader.reference_number ?? ''),
    );
    await page.goto(`/invoices?search=${foreign.reference}&invoice=${foreign.id}`);
    await expect(page.getByRole('heading', { name: 'No invoices found' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Invoice not found' })).toBeVisible();
  });
});
