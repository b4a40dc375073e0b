import { formatWholeUsd, shortId, sumDecimals } from '@copydesk/domain/money';
import {
  invoicesOf,
  invoicesScreen,
  isUntouched,
  listGroups,
  markUnpaid,
} from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';

test('a page is selected at once, and the bar says how much that is', async ({ page, api }) => {
  const { data } = await listGroups(api);
  const count = data.reduce((sum, group) => sum + group.invoice_count, 0);
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  await page.getByRole('checkbox', { name: 'Select page' }).check();
  const total = formatWholeUsd(sumDecimals(data.map(({ total_amount }) => total_amount)));
  await expect(list.bar.getByRole('status')).toHaveText(`${count} invoices selected · 10 groups · ${total}`);
  await page.getByRole('checkbox', { name: `Select group ${data[0]?.reference_number}` }).uncheck();
  await expect(list.bar).toContainText('9 groups');
  await expect(page.getByRole('checkbox', { name: 'Select page' })).toHaveJSProperty('indeterminate', true);
  await list.bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(list.bar).toHaveCount(0);
});

test('another page or other filters begin with nothing selected', async ({ page }) => {
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  await page.getByRole('checkbox', { name: 'Select page' }).check();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText(/^11–20 of/)).toBeVisible();
  await expect(list.bar).toHaveCount(0);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
});

test('the keyboard selects: x, and Space on the box', async ({ page, api }) => {
  const { data } = await listGroups(api);
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  await list.groups.first().focus();
  await page.keyboard.press('x');
  await expect(list.groups.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(
    page.getByRole('checkbox', { name: `Select group ${data[1]?.reference_number}` }),
  ).toBeFocused();
  await page.keyboard.press(' ');
  await expect(list.bar).toContainText('2 groups');
  await expect(list.groups.nth(1)).toHaveAttribute('aria-expanded', 'false');
});

test('an invoice taken out of a selected group leaves the others selected', async ({ page, api }) => {
  const { data } = await listGroups(api);
  const group = data.find(({ invoice_count }) => invoice_count > 1 && invoice_count < 20);
  const reference = group?.reference_number ?? '';
  const [first] = await invoicesOf(api, reference);
  await page.goto(`/invoices?search=${reference}`);
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  await page.getByRole('checkbox', { name: `Select group ${reference}` }).check();
  const box = page.getByRole('checkbox', { name: `Select invoice ${shortId(first?.id ?? '')}` });
  await expect(box).toBeChecked();
  await box.uncheck();
  await expect(list.bar.getByRole('status')).toContainText(`${(group?.invoice_count ?? 0) - 1} invoice`);
  await expect(page.getByRole('checkbox', { name: `Select group ${reference}` })).not.toBeChecked();
});

test('groups and invoices are marked together, on condition of what was on screen', async ({ page, api }) => {
  const { data } = await listGroups(api, { tab: 'unpaid', limit: '100' });
  const small = data.filter((group) => group.invoice_count < 15 && group.part_paid_count === 0);
  const [whole, other] = small.filter((group) => group.trader !== null && group.overdue_count > 0);
  const name = whole?.reference_number ?? '';
  const ofWhole = (await invoicesOf(api, name)).filter(({ status }) => status === 'pending');
  const ofOther = await invoicesOf(api, other?.reference_number ?? '');
  const single = ofOther.find(isUntouched);
  const bodies: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') bodies.push(request.postDataJSON());
  });
  await page.goto('/invoices?tab=unpaid&rows=100');
  const list = invoicesScreen(page);
  const show = async (reference: string) => {
    await list.groups.first().focus();
    await expect(async () => {
      if ((await list.group(reference).count()) === 0) await page.keyboard.press('PageDown');
      await expect(list.group(reference)).toBeVisible({ timeout: 300 });
    }).toPass();
  };
  try {
    await show(name);
    await page.getByRole('checkbox', { name: `Select group ${name}` }).check();
    await show(other?.reference_number ?? '');
    await list.group(other?.reference_number ?? '').click();
    await page.getByRole('checkbox', { name: `Select invoice ${shortId(single?.id ?? '')}` }).check();
    await list.bar.getByRole('button', { name: 'Mark as paid' }).click();
    const n = ofWhole.length + 1;
    await expect(list.dialog).toHaveAccessibleDescription(new RegExp(`^${n} invoices of 2 traders, \\$`));
    await list.dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await expect(page.getByText(`${n} invoice(s) have been marked as paid`, { exact: true })).toBeVisible();
    await expect(list.bar).toHaveCount(0);
    expect(bodies).toEqual([
      {
        groups: { reference_numbers: [name], filters: {}, in_archive: false },
        expected_count: whole?.invoice_count,
        is_paid: true,
      },
      { invoice_ids: [single?.id], expected_count: 1, is_paid: true },
    ]);
  } finally {
    await markUnpaid(api, [...ofWhole.map(({ id }) => id), single?.id ?? '']);
  }
});
