import { formatCount, formatDate, formatWholeUsd } from '@copydesk/domain/money';
import { invoicesScreen, listGroups } from '../support/invoices-screen.ts';
import { withoutNews } from '../support/news.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test('opens on all groups, the latest first, with counts by tab', async ({ page, api }) => {
  const { data, meta } = await listGroups(api);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoices' }).click();
  await expect(page).toHaveURL('/invoices');
  await expect(page).toHaveTitle(/^Invoices/);
  const list = invoicesScreen(page);
  await expect(page.getByRole('tab')).toHaveText(
    (['all', 'unpaid', 'paid', 'archived'] as const).map(
      (tab) => new RegExp(`^${tab}\\s*${formatCount(meta.counts[tab])}$`, 'i'),
    ),
  );
  await expect(list.found).toHaveText(`${formatCount(meta.total)} groups found`);
  await expect(page.getByText(/^Counts as of \d\d:\d\d:\d\d UTC$/)).toBeVisible();
  await expect(list.column('Created Date')).toHaveAttribute('aria-sort', 'descending');
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
});

test('a tab shows its groups, appears in the URL, and begins on its first page', async ({ page, api }) => {
  await page.goto('/invoices?page=2');
  const list = invoicesScreen(page);
  await list.tab('Paid').click();
  await expect(page).toHaveURL('/invoices?tab=paid');
  const paid = await listGroups(api, { tab: 'paid' });
  await expect(list.found).toHaveText(`${formatCount(paid.meta.total)} groups found`);
  await expect(list.groups.getByText('Paid', { exact: true })).toHaveCount(10);
  await page.reload();
  await expect(list.tab('Paid')).toHaveAttribute('aria-selected', 'true');
  await expect(list.groups.first()).toContainText(paid.data[0]?.reference_number ?? '');
  await list.tab('Paid').press('ArrowLeft');
  await expect(list.tab('Unpaid')).toBeFocused();
  await expect(list.groups.getByText('Paid', { exact: true })).toHaveCount(0);
  await list.tab('All').click();
  await expect(page).toHaveURL('/invoices');
});

test('is sorted by the server: a newly chosen column starts descending', async ({ page, api }) => {
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  const expectSorted = async (
    header: string,
    orderBy: 'created_at' | 'updated_at' | 'amount',
    orderDir: 'asc' | 'desc',
  ) => {
    const { data } = await listGroups(api, { orderBy, orderDir });
    await expect(list.column(header)).toHaveAttribute('aria-sort', `${orderDir}ending`);
    await expect(list.groups.first()).toContainText(data[0]?.reference_number ?? '');
    await expect(list.groups.last()).toContainText(data[9]?.reference_number ?? '');
  };
  await list.sortBy('Updated Date');
  await expectSorted('Updated Date', 'updated_at', 'desc');
  await list.sortBy('Updated Date');
  await expectSorted('Updated Date', 'updated_at', 'asc');
  await expect(page).toHaveURL('/invoices?sort=updated_at&dir=asc');
  await page.reload();
  await expectSorted('Updated Date', 'updated_at', 'asc');
  await list.sortBy('Total');
  await expectSorted('Total', 'amount', 'desc');
  await list.sortBy('Created Date');
  await expectSorted('Created Date', 'created_at', 'desc');
  await expect(page).toHaveURL('/invoices');
});

test('pages have 10, 25, 50 or 100 groups, with previous and next', async ({ page, api }) => {
  const { meta } = await listGroups(api);
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  const size = page.getByRole('combobox', { name: 'Rows per page' });
  await expect(size.getByRole('option')).toHaveText(['10', '25', '50', '100']);
  await expect(size).toHaveValue('10');
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL('/invoices?page=2');
  await expect(page.getByText(`11–20 of ${meta.total}`)).toBeVisible();
  const second = await listGroups(api, { offset: '10' });
  await expect(list.groups.first()).toContainText(second.data[0]?.reference_number ?? '');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(page).toHaveURL('/invoices');

  await size.selectOption('25');
  await expect(page).toHaveURL('/invoices?rows=25');
  await expect(page.getByText(`1–25 of ${meta.total}`)).toBeVisible();
  await expect(list.table).toHaveAttribute('aria-rowcount', '26');
  await page.reload();
  await expect(size).toHaveValue('25');

  // A page beyond the end leads to the first.
  await page.goto('/invoices?page=9000');
  await expect(page.getByText(`1–10 of ${meta.total}`)).toBeVisible();
  await expect(page).toHaveURL('/invoices');
});

test('invalid parameters of the URL are ignored', async ({ page }) => {
  await page.goto(
    '/invoices?tab=none&sort=status&dir=up&rows=7&page=x&min=a&from=2026-13-01&status=due&invoice=1',
  );
  const list = invoicesScreen(page);
  await expect(list.tab('All')).toHaveAttribute('aria-selected', 'true');
  await expect(list.groups).toHaveCount(10);
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(0);
  await expect(page.getByRole('complementary')).toHaveCount(0);
});

test('the search finds parts of reference numbers in any case', async ({ page, api }) => {
  const { meta, data } = await listGroups(api, { search: 'ait-10010' });
  expect(meta.total).toBeGreaterThan(0);
  await page.goto('/invoices?page=3');
  const list = invoicesScreen(page);
  await expect(list.groups.first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(list.searchBox).toBeFocused();
  await page.keyboard.type('ait-10010');
  await expect(list.found).toHaveText(`${meta.total} groups found`);
  await expect(page).toHaveURL('/invoices?search=ait-10010');
  await expect(list.groups.first()).toContainText(data[0]?.reference_number ?? '');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/invoices');
  await expect(list.searchBox).toHaveCount(0);
});

test('says that it is loading, and when nothing matches', async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/invoices/admin/groups?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/invoices?search=nobody-has-this');
  await expect(invoicesScreen(page).found).toHaveText('Loading invoices...');
  answer();
  await expect(page.getByRole('heading', { name: 'No invoices found' })).toBeVisible();
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  await expect(invoicesScreen(page).found).toHaveText('0 groups found');
});

test.describe('when the server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('says so in place of the list, and Retry brings it', async ({ page }) => {
    const message = 'The service is not available at the moment. Please try again.';
    await withoutNews(page);
    await page.route('**/api/invoices/admin/groups?*', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'unavailable', message } }),
    );
    await page.goto('/invoices');
    const alert = page.getByRole('alert');
    await expect(alert.getByRole('heading')).toHaveText('Error loading invoices');
    await expect(alert.getByRole('paragraph')).toHaveText(message);
    await page.unroute('**/api/invoices/admin/groups?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(invoicesScreen(page).groups).toHaveCount(10);
    await expect(alert).toHaveCount(0);
  });
});
