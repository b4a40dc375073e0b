import { readFile } from 'node:fs/promises';
import { formatCount } from '@copydesk/domain/money';
import { invoicesScreen, listGroups, pickGroup } from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';

test('filters narrow the list, appear in the URL, and are removed one by one or all at once', async ({
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
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name })).toHaveCount(0);
  }
  await expect(list.found).toHaveText(new RegExp(`^${meta.total} groups? found$`));
  await page.reload();
  await expect(list.found).toHaveText(new RegExp(`^${meta.total} groups? found$`));
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(4);
  await page.getByRole('button', { name: /^Remove filter Exchange/ }).click();
  await expect(page).not.toHaveURL(/exchange/);
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(3);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(0);
});

test('amounts and days are ranges, which are refused with a reason when they cannot be', async ({
  page,
  api,
}) => {
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  const apply = page.getByRole('button', { name: 'Apply' });
  await list.filter('Amount').click();
  await page.getByLabel('At least').fill('200');
  await page.getByLabel('At most').fill('100');
  await apply.click();
  await expect(page.getByText('The minimum is above the maximum')).toBeVisible();
  await page.getByLabel('At most').fill('300');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/invoices?min=200&max=300');
  const amounts = await listGroups(api, { min_amount: '200', max_amount: '300' });
  await expect(list.found).toHaveText(`${formatCount(amounts.meta.total)} groups found`);

  const day = amounts.data[0]?.created_at.slice(0, 10) ?? '';
  await list.filter('Created').click();
  await page.getByLabel('First day').fill(day);
  await page.getByLabel('Last day').fill(day);
  await apply.click();
  await expect(page).toHaveURL(`/invoices?min=200&max=300&from=${day}&to=${day}`);
  const days = await listGroups(api, {
    min_amount: '200',
    max_amount: '300',
    created_at_from: day,
    created_at_to: day,
  });
  await expect(list.found).toHaveText(new RegExp(`^${days.meta.total} groups? found$`));
  await expect(page.getByRole('button', { name: 'Remove filter Amount $200.00 – $300.00' })).toBeVisible();
  await list.filter('Amount: $200.00 – $300.00').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await expect(page).toHaveURL(`/invoices?from=${day}&to=${day}`);
});

test('overdue is one press, and the expanded rows keep to the filters', async ({ page, api }) => {
  const { reference_number: reference, overdue_count: count } = await pickGroup(
    api,
    (group) => group.overdue_count > 0 && group.invoice_count > group.overdue_count,
  );
  const { meta } = await listGroups(api, { is_overdue: 'true' });
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  const overdue = page.getByRole('button', { name: 'Overdue', exact: true });
  await overdue.click();
  await expect(overdue).toHaveAttribute('aria-pressed', 'true');
  await expect(list.found).toHaveText(`${formatCount(meta.total)} groups found`);
  await page.goto(`/invoices?overdue=true&search=${reference}`);
  await list.group(reference).press('Enter');
  await expect(list.invoices.first()).toContainText('$');
  await expect(list.invoices).toHaveCount(count);
  await expect(list.invoices.getByText('Overdue', { exact: true })).toHaveCount(count);
  await overdue.click();
  await expect(page).toHaveURL(`/invoices?search=${reference}`);
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
  const lines = (await readFile(await download.path(), 'utf8'))
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
  const [header = [], ...rows] = lines.map((line) => line.split(','));
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
  expect(column('Invoice ID')).toEqual(data.map(({ id }) => id));
  expect(column('Amount (USDT)')).toEqual(data.map(({ amount }) => amount));
  await expect(page.getByText('Export ready', { exact: true })).toBeVisible();
});
