import { readFile } from 'node:fs/promises';
import { formatCount, formatDate, formatWholeUsd } from '@copydesk/domain/money';
import { linesOfCsv } from '../../support/csv-lines.ts';
import { invoicesScreen, listGroups, pickGroup } from '../support/invoices-screen.ts';
import { openStill, toldBy } from '../support/news.ts';
import { expect, test } from '../support/test.ts';

test('the navigation leads to all groups, and tab, order, pages and search are those of the API', async ({
  page,
  api,
}) => {
  await openStill(page, '/', 'GET /api/me');
  const { data, meta } = await toldBy(page, 'GET /api/invoices/admin/groups', () =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoices' }).click(),
  );
  await expect(page).toHaveURL('/invoices');
  const list = invoicesScreen(page);
  await expect(page.getByRole('tab')).toHaveText(
    (['all', 'unpaid', 'paid', 'archived'] as const).map(
      (tab) => new RegExp(`^${tab}\\s*${formatCount(meta.counts[tab])}$`, 'i'),
    ),
  );
  await expect(list.found).toHaveText(`${formatCount(meta.total)} groups found`);
  await expect(list.groups).toHaveCount(10);
  for (const [index, group] of data.entries()) {
    const cells = list.groups.nth(index).locator('td');
    await expect(cells.nth(1)).toContainText(group.reference_number);
    await expect(cells.nth(2)).toHaveText(formatCount(group.invoice_count));
    await expect(cells.nth(4)).toHaveText(formatWholeUsd(group.total_amount));
    await expect(cells.nth(5)).toHaveText(formatWholeUsd(group.on_chain_amount));
    await expect(cells.nth(6)).toHaveText(formatWholeUsd(group.provider_share));
    await expect(cells.nth(7)).toHaveText(formatDate(group.created_at));
    await expect(cells.nth(8)).toHaveText(formatDate(group.updated_at));
    await expect(list.groups.nth(index).getByText('Paid', { exact: true })).toHaveCount(
      group.is_paid ? 1 : 0,
    );
  }

  await page.getByRole('button', { name: 'Next page' }).click();
  const second = await listGroups(api, { offset: '10' });
  await expect(list.groups.first()).toContainText(second.data[0]?.reference_number ?? '');
  await list.tab('Paid').click();
  await list.sortBy('Total');
  const paid = await listGroups(api, { tab: 'paid', orderBy: 'amount', orderDir: 'desc' });
  const expectPaid = async () => {
    await expect(list.found).toHaveText(`${formatCount(paid.meta.total)} groups found`);
    await expect(list.groups.getByText('Paid', { exact: true })).toHaveCount(10);
    await expect(list.groups.first()).toContainText(paid.data[0]?.reference_number ?? '');
    await expect(list.groups.last()).toContainText(paid.data[9]?.reference_number ?? '');
  };
  await expectPaid();
  await page.reload();
  await expectPaid();

  await page.goto('/invoices');
  await expect(list.groups.first()).toBeVisible();
  const found = await listGroups(api, { search: 'ait-10010' });
  expect(found.meta.total).toBeGreaterThan(0);
  await page.keyboard.press('/');
  await page.keyboard.type('ait-10010');
  await expect(list.found).toHaveText(`${found.meta.total} groups found`);
  await expect(list.groups.first()).toContainText(found.data[0]?.reference_number ?? '');
});

test('filters, ranges and overdue narrow the list and its invoices as the API does', async ({
  page,
  api,
}) => {
  // The newest may be sales, which have neither an exchange nor a provider.
  const { data } = await api.call('GET /api/invoices/admin/all', {
    query: { invoice_type: 'regular', limit: '200' },
  });
  const invoice = data.find(({ exchange, provider }) => exchange !== null && provider !== null);
  if (!invoice) throw new Error('no invoice is of one exchange');
  const communities = (await api.call('GET /api/communities')).data;
  const community = communities.find(({ id }) => id === invoice?.community_id);
  const filters = {
    status: invoice?.status,
    community_id: community?.id,
    provider_id: invoice?.provider?.id,
    exchange: invoice?.exchange ?? undefined,
  };
  const { meta } = await listGroups(api, filters);
  expect(meta.total).toBeGreaterThan(0);

  await page.goto('/invoices');
  const list = invoicesScreen(page);
  for (const [name, typed] of [
    ['Status', invoice?.status ?? ''],
    ['Community', community?.name ?? ''],
    ['Provider', invoice?.provider?.name ?? ''],
    ['Exchange', invoice?.exchange ?? ''],
  ] as const) {
    await list.filter(name).click();
    await expect(page.getByRole('combobox', { name })).toBeFocused();
    await page.keyboard.type(typed);
    const offered = page.getByRole('listbox', { name }).getByRole('option').first();
    await expect(offered).toContainText(typed, { ignoreCase: true });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name })).toHaveCount(0);
  }
  await expect(list.found).toHaveText(new RegExp(`^${meta.total} groups? found$`));
  await page.reload();
  await expect(list.found).toHaveText(new RegExp(`^${meta.total} groups? found$`));

  const ranges = { min_amount: '200', max_amount: '300' };
  const amounts = await listGroups(api, ranges);
  const day = amounts.data[0]?.created_at.slice(0, 10) ?? '';
  const days = await listGroups(api, { ...ranges, created_at_from: day, created_at_to: day });
  await page.goto('/invoices?min=200&max=300');
  await expect(list.found).toHaveText(`${formatCount(amounts.meta.total)} groups found`);
  await page.goto(`/invoices?min=200&max=300&from=${day}&to=${day}`);
  await expect(list.found).toHaveText(new RegExp(`^${days.meta.total} groups? found$`));

  const { reference_number: reference, overdue_count: count } = await pickGroup(
    api,
    (group) => group.overdue_count > 0 && group.invoice_count > group.overdue_count,
  );
  const overdue = await listGroups(api, { is_overdue: 'true' });
  await page.goto('/invoices?overdue=true');
  await expect(list.found).toHaveText(`${formatCount(overdue.meta.total)} groups found`);
  await page.goto(`/invoices?overdue=true&search=${reference}`);
  await list.group(reference).press('Enter');
  await expect(list.invoices.first()).toContainText('$');
  await expect(list.invoices).toHaveCount(count);
  await expect(list.invoices.getByText('Overdue', { exact: true })).toHaveCount(count);
});

test('the export holds the filtered rows, in their order', async ({ page, api }) => {
  const query = { search: '10010', status: 'pending', orderBy: 'amount', orderDir: 'asc' } as const;
  const { data } = await api.call('GET /api/invoices/admin/all', { query: { ...query, limit: '1000' } });
  expect(data.length).toBeGreaterThan(1);
  await page.goto('/invoices?tab=unpaid&search=10010&sort=amount&dir=asc');
  await expect(invoicesScreen(page).groups.first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^invoices-.*\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = linesOfCsv(await readFile(await download.path()));
  const [header = [], ...rows] = lines.map((line) => line.split(','));
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
  expect(column('Invoice ID')).toEqual(data.map(({ id }) => id));
  expect(column('Amount (USDT)')).toEqual(data.map(({ amount }) => amount));
  await expect(page.getByText('Export ready', { exact: true })).toBeVisible();
});
