import { outstandingOf } from '@copydesk/domain/invoices';
import { formatUsd, shortId, sumDecimals } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import {
  invoicesOf,
  invoicesScreen,
  isUntouched,
  markUnpaid,
  pickGroup,
  pickInvoice,
  unarchive,
} from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

/** The keys of the money calls that a page sends. */
function collectKeys(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}

test('an invoice is marked as paid after a question, and Undo takes it back', async ({ page, api }) => {
  const invoice = await pickInvoice(api, (one) => isUntouched(one) && one.is_overdue);
  const keys = collectKeys(page);
  await page.goto(`/invoices?search=${invoice.reference}`);
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  const line = list.invoice(invoice.id);
  try {
    await list.menu(`invoice ${shortId(invoice.id)}`).click();
    await list.item('Mark as paid').click();
    await expect(list.dialog).toHaveAccessibleName('Mark as paid');
    await expect(list.dialog).toHaveAccessibleDescription(
      `1 invoice of ${invoice.reference}, ${formatUsd(invoice.amount)} outstanding, will be marked as paid.`,
    );
    await expect(list.dialog).toContainText('settles them off-platform');
    await page.keyboard.press('Escape');
    await expect(list.dialog).toHaveCount(0);
    expect(keys).toEqual([]);

    await list.menu(`invoice ${shortId(invoice.id)}`).press('Enter');
    await expect(list.item('Mark as paid')).toBeFocused();
    await page.keyboard.press('Enter');
    await list.dialog.getByRole('button', { name: 'Mark as paid' }).press('Enter');
    await expect(list.dialog).toHaveCount(0);
    await expect(list.toast('Status updated')).toContainText('1 invoice(s) have been marked as paid');
    await expect(line.getByText('Off-platform')).toBeVisible();
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);

    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('1 invoice(s) have been marked as unpaid', { exact: true })).toBeVisible();
    await expect(line.getByText('Overdue')).toBeVisible();
    expect(new Set(keys).size).toBe(2);
  } finally {
    await markUnpaid(api, [invoice.id]);
  }
});

test('a group is marked as paid as a whole, and counts as paid then', async ({ page, api }) => {
  const group = await pickGroup(
    api,
    (one) => one.overdue_count > 0 && one.part_paid_count === 0 && one.invoice_count < 20,
  );
  const open = (await invoicesOf(api, group.reference_number)).filter(({ status }) => status === 'pending');
  await page.goto(`/invoices?tab=unpaid&search=${group.reference_number}`);
  const list = invoicesScreen(page);
  try {
    await list.menu(group.reference_number).click();
    await list.item('Mark all as paid').click();
    await expect(list.dialog).toHaveAccessibleDescription(
      `${open.length} ${open.length === 1 ? 'invoice' : 'invoices'} of ${group.reference_number}, ` +
        `${formatUsd(sumDecimals(open.map(outstandingOf)))} outstanding, will be marked as paid.`,
    );
    await list.dialog.getByRole('button', { name: 'Mark as paid' }).click();
    await expect(
      page.getByText(`${open.length} invoice(s) have been marked as paid`, { exact: true }),
    ).toBeVisible();
    await expect(list.groups.getByText(/overdue|due/)).toHaveCount(0);
  } finally {
    await markUnpaid(
      api,
      open.map(({ id }) => id),
    );
  }
});

test('an invoice is archived, leaves the list, and comes back by Undo', async ({ page, api }) => {
  const group = await pickGroup(api, (one) => one.invoice_count > 2 && one.invoice_count < 15);
  const [invoice] = await invoicesOf(api, group.reference_number);
  const id = invoice?.id ?? '';
  await page.goto(`/invoices?search=${group.reference_number}`);
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  await expect(list.invoice(id)).toBeVisible();
  try {
    await list.menu(`invoice ${shortId(id)}`).click();
    await list.item('Archive').click();
    await expect(list.dialog).toHaveAccessibleName('Archive');
    await list.dialog.getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('1 invoice(s) have been archived', { exact: true })).toBeVisible();
    await expect(list.invoice(id)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('1 invoice(s) have been restored', { exact: true })).toBeVisible();
    await expect(list.invoice(id)).toBeVisible();
  } finally {
    await unarchive(api, [id]);
  }
});

test.describe('writing off above the limit of one person', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('asks for a reason, waits for another super admin, and says so in the rows', async ({ page }) => {
    const list = invoicesScreen(page);
    const unfold = async () => {
      await page.goto('/invoices?tab=unpaid');
      await list.groups.first().press('Enter');
      await expect(list.invoices.first()).toBeVisible();
    };
    await unfold();
    await page.getByRole('checkbox', { name: 'Select page' }).check();
    await list.bar.getByRole('button', { name: 'Mark as paid' }).click();
    const confirm = list.dialog.getByRole('button', { name: 'Mark as paid' });
    await confirm.click();
    await expect(list.dialog.getByLabel('Reason')).toHaveAccessibleDescription(/^Say why/);
    await list.dialog.getByLabel('Reason').fill('Settled with the community');
    await confirm.click();
    await expect(list.toast('Waits for another super admin')).toContainText('Nothing has changed yet.');
    const waits = list.invoices.getByText('Waits for approval');
    await expect(waits.first()).toBeVisible();

    await page.goto('/super-admin');
    const waiting = page.getByRole('region', { name: 'Waiting for approval' });
    const line = waiting.getByRole('listitem').filter({ hasText: 'Marking as paid off-platform' });
    await expect(line).toContainText('Another super admin must approve your request');
    await line.getByRole('button', { name: 'Withdraw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw order' });
    await expect(dialog).toContainText('Settled with the community');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(line).toHaveCount(0);
    await unfold();
    await expect(waits).toHaveCount(0);
  });
});

test.describe('refusals of the server', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a payment on chain stays, and the dialog says why', async ({ page, api }) => {
    const invoice = await pickInvoice(
      api,
      ({ is_paid, amount, paid_amount }) => is_paid && amount === paid_amount,
    );
    const { unpaid_refusal } = (await api.call('GET /api/invoices/{id}', { params: { id: invoice.id } }))
      .data;
    const reason = { invoice_paid_on_chain: 'seen on chain', payout_made: 'paid out' }[
      unpaid_refusal ?? 'payout_made'
    ];
    await page.goto(`/invoices?search=${invoice.reference}`);
    const list = invoicesScreen(page);
    await list.groups.first().press('Enter');
    await list.menu(`invoice ${shortId(invoice.id)}`).click();
    await list.item('Mark as unpaid').click();
    await expect(list.dialog).toContainText('1 of them was paid on chain');
    await list.dialog.getByRole('button', { name: 'Mark as unpaid' }).click();
    await expect(list.dialog.getByRole('alert')).toHaveText(
      new RegExp(`^Error updating status: .*${reason}.*cannot be marked as unpaid`),
    );
    await list.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(list.invoice(invoice.id)).toContainText('Paid');
  });

  test('a selection that changed meanwhile is reported, and the list reloads', async ({ page, api }) => {
    const group = await pickGroup(api, (one) => one.overdue_count > 1 && one.invoice_count < 15);
    const [invoice] = await invoicesOf(api, group.reference_number);
    const id = invoice?.id ?? '';
    await page.goto(`/invoices?search=${group.reference_number}`);
    const list = invoicesScreen(page);
    await list.menu(group.reference_number).click();
    await list.item('Mark all as paid').click();
    await expect(list.dialog).toHaveAccessibleDescription(/outstanding/);
    try {
      await api.call('PATCH /api/invoices/{id}/archive', {
        params: { id },
        idempotencyKey: null,
        body: { is_archived: true },
      });
      await list.dialog.getByRole('button', { name: 'Mark as paid' }).click();
      await expect(list.dialog).toHaveCount(0);
      await expect(list.toast('Error updating status')).toContainText('have changed');
      await expect(list.groups.first().locator('td').nth(2)).toHaveText(String(group.invoice_count - 1));
    } finally {
      await unarchive(api, [id]);
    }
  });

  test('a lost request is repeated under the same key', async ({ page, api }) => {
    const invoice = await pickInvoice(api, isUntouched);
    const keys = collectKeys(page);
    await page.goto(`/invoices?search=${invoice.reference}`);
    const list = invoicesScreen(page);
    await list.groups.first().press('Enter');
    await list.menu(`invoice ${shortId(invoice.id)}`).click();
    await list.item('Mark as paid').click();
    let isCut = true;
    await page.route('**/api/invoices/*/status', async (route) => {
      // Done, but the answer is lost.
      const response = await route.fetch();
      if (isCut) await route.abort();
      else await route.fulfill({ response });
    });
    try {
      const confirm = list.dialog.getByRole('button', { name: 'Mark as paid' });
      await confirm.click();
      await expect(list.dialog.getByRole('alert')).toContainText('Error updating status: Network error');
      isCut = false;
      await confirm.click();
      await expect(page.getByText('1 invoice(s) have been marked as paid', { exact: true })).toBeVisible();
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
    } finally {
      await markUnpaid(api, [invoice.id]);
    }
  });
});
