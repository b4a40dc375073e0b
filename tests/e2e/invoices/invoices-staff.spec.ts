import { createApi } from '../support/api.ts';
import { invoicesScreen, listGroups, pickInvoice } from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// An invoice of another provider is missing.
test.use({ persona: 'staff', expectedComplaint: FAILED_REQUEST });

test('staff see the invoices of their provider; those of others are neither listed nor opened', async ({
  page,
  api,
  baseURL,
}) => {
  const superAdmin = await createApi(baseURL ?? '', 'super');
  const shown = await listGroups(api);
  const all = await listGroups(superAdmin);
  expect(shown.meta.total).toBeGreaterThan(0);
  expect(shown.meta.total).toBeLessThan(all.meta.total);
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  await expect(list.found).toHaveText(`${shown.meta.total} groups found`);
  await list.groups.first().press('Enter');
  const count = shown.data[0]?.invoice_count ?? 0;
  await expect(list.invoices.getByText('Admin only', { exact: true })).toHaveCount(count);
  const { name } = (await api.call('GET /api/me')).data.providers[0] ?? { name: '' };
  await expect(list.invoices.getByText(name)).toHaveCount(count);

  const mine = (await api.call('GET /api/me')).data.providers[0]?.id;
  const own = new Set((await listGroups(api, { limit: '1000' })).data.map((group) => group.reference_number));
  const foreign = await pickInvoice(
    superAdmin,
    ({ provider, trader }) => provider?.id !== mine && !own.has(trader.reference_number ?? ''),
  );
  await page.goto(`/invoices?search=${foreign.reference}&invoice=${foreign.id}`);
  await expect(page.getByRole('heading', { name: 'No invoices found' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invoice not found' })).toBeVisible();
});
