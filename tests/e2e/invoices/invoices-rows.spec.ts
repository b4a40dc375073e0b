import { formatDate, formatWholeUsd, shortId } from '@copydesk/domain/money';
import { listName } from '../../../apps/console/src/lib/format/trader-name.ts';
import { invoicesOf, invoicesScreen, listGroups, pickGroup } from '../support/invoices-screen.ts';
import { withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test('a group unfolds by click, Enter, Space and the arrows, and shows its invoices', async ({
  page,
  api,
}) => {
  const [first] = (await listGroups(api)).data;
  const invoices = await invoicesOf(api, first?.reference_number ?? '');
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  const group = list.groups.first();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await expect(list.invoices).toHaveCount(invoices.length);
  for (const [index, invoice] of invoices.entries()) {
    const cells = list.invoices.nth(index).locator('td');
    await expect(cells.nth(1)).toContainText(invoice.provider?.name ?? 'No provider');
    await expect(cells.nth(2)).toHaveText(shortId(invoice.id));
    await expect(cells.nth(4)).toHaveText(formatWholeUsd(invoice.amount));
    await expect(cells.nth(6)).toHaveText(formatWholeUsd(invoice.provider_share));
    await expect(cells.nth(7)).toHaveText(formatDate(invoice.created_at));
    if (invoice.is_paid) await expect(cells.nth(3)).toContainText('Paid');
  }
  await group.press(' ');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(list.invoices).toHaveCount(0);
  await group.press('ArrowRight');
  await expect(list.invoices).toHaveCount(invoices.length);
  await page.keyboard.press('ArrowDown');
  await expect(list.invoices.first()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(group).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(list.invoices).toHaveCount(0);
});

test('lines on their way take the place that they will need', async ({ page, api }) => {
  const { data } = await listGroups(api);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/invoices/admin/all?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  const count = data[0]?.invoice_count ?? 0;
  await expect(list.invoices).toHaveCount(count);
  const place = await list.groups.nth(1).boundingBox();
  answer();
  await expect(list.invoices.first()).toContainText('$');
  expect(await list.groups.nth(1).boundingBox()).toEqual(place);
});

test('traders without a reference number form one group that unfolds and acts by trader', async ({
  page,
  api,
}) => {
  const unknown = (await listGroups(api, { reference_number: 'unknown' })).data[0];
  const traders = (await api.call('GET /api/invoices/admin/groups/unknown', { query: { limit: '50' } })).data;
  expect(traders.length).toBeGreaterThan(3);
  expect(unknown?.trader_count).toBe(traders.length);
  const nameOf = (index: number) => listName(traders[index]?.trader ?? { name: '', telegram_username: '' });
  const { data } = await listGroups(api, { limit: '1000' });
  const at = data.findIndex(({ reference_number }) => reference_number === 'unknown');
  await page.goto(`/invoices?page=${Math.floor(at / 10) + 1}`);
  const list = invoicesScreen(page);
  const group = list.group('unknown');
  await expect(group).toContainText(`${traders.length} traders`);
  await expect(group.getByRole('checkbox')).toHaveCount(0);
  await list.menu('unknown').click();
  await expect(page.getByRole('menu')).toContainText('choose one trader');
  await expect(page.getByRole('menuitem', { disabled: false })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await group.press('Enter');
  await expect(list.table).toHaveAttribute('aria-rowcount', String(10 + traders.length + 1));
  const trader = list.table.locator('tbody tr[aria-level="2"]');
  await expect(trader.first()).toContainText(nameOf(0));
  await trader.first().press('Enter');
  await expect(list.table.locator('tbody tr[aria-level="3"]').first()).toContainText('$');
  await expect(list.table).toHaveAttribute(
    'aria-rowcount',
    String(10 + traders.length + (traders[0]?.invoice_count ?? 0) + 1),
  );
  await trader.first().press('Enter');
  await page.getByRole('checkbox', { name: `Select group ${nameOf(0)}` }).check();
  await expect(list.bar).not.toContainText('at a time');
  await page.getByRole('checkbox', { name: `Select group ${nameOf(1)}` }).check();
  await expect(list.bar).toContainText('One trader without a reference number at a time');
  await list.bar.getByRole('button', { name: 'Archive' }).click({ force: true });
  await expect(list.dialog).toHaveCount(0);
});

test('expanding all asks for the groups in view only, and collapses again', async ({ page }) => {
  const asked = new Set<string>();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/invoices/admin/all') asked.add(url.searchParams.get('reference_number') ?? '');
  });
  await page.goto('/invoices?rows=100');
  const list = invoicesScreen(page);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(list.invoices.first()).toContainText('$');
  await page.waitForTimeout(500);
  expect(asked.size).toBeGreaterThan(0);
  expect(asked.size).toBeLessThan(40);
  await list.groups.first().press('End');
  await expect(list.table.locator('tbody tr').last()).toContainText('$');
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect(list.table).toHaveAttribute('aria-rowcount', '101');
});

test('archived invoices are found in their tab, and only those', async ({ page, api }) => {
  const { data } = await listGroups(api, { tab: 'archived' });
  await page.goto('/invoices?tab=archived');
  const list = invoicesScreen(page);
  await expect(list.groups.first()).toContainText(data[0]?.reference_number ?? '');
  await list.groups.first().press('Enter');
  await expect(list.invoices.first()).toContainText('$');
  await expect(list.invoices).toHaveCount(data[0]?.invoice_count ?? 0);
});

test('changes by others appear in place, without a reload or a jump', async ({ page, api }) => {
  const group = await pickGroup(
    api,
    ({ overdue_count, part_paid_count }) => overdue_count > 0 && part_paid_count === 0,
  );
  const invoice = (await invoicesOf(api, group.reference_number)).find(({ is_overdue }) => is_overdue);
  const params = { id: invoice?.id ?? '' };
  await page.goto(`/invoices?search=${group.reference_number}`);
  const list = invoicesScreen(page);
  const line = list.group(group.reference_number);
  await expect(line.getByText(`${group.overdue_count} overdue`)).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await line.click();
  await page.evaluate('window.isSamePage = true');
  try {
    await api.call('PATCH /api/invoices/{id}/status', {
      params,
      idempotencyKey: null,
      body: { is_paid: true },
    });
    await expect(list.invoice(params.id).getByText('Off-platform')).toBeVisible();
  } finally {
    await api.call('PATCH /api/invoices/{id}/status', {
      params,
      idempotencyKey: null,
      body: { is_paid: false },
    });
  }
  await expect(list.invoice(params.id).getByText('Overdue')).toBeVisible();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});

test.describe('when the server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a group says that its invoices could not be loaded, and tries again', async ({ page }) => {
    await withoutNews(page);
    await page.route('**/api/invoices/admin/all?*', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'unavailable', message: 'Not now.' } }),
    );
    await page.goto('/invoices');
    const list = invoicesScreen(page);
    await list.groups.first().press('Enter');
    const alert = list.table.getByRole('alert');
    await expect(alert).toContainText('Error loading invoices: Not now.');
    await page.unroute('**/api/invoices/admin/all?*');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(list.invoices.first()).toContainText('$');
  });
});
