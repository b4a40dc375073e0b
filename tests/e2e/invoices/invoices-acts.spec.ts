import { outstandingOf } from '@copydesk/domain/invoices';
import { formatUsd, shortId, sumDecimals } from '@copydesk/domain/money';
import {
  invoicesOf,
  invoicesScreen,
  isUntouched,
  listGroups,
  markUnpaid,
  pickInvoice,
  unarchive,
} from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// What the server refuses.
test.use({ expectedComplaint: FAILED_REQUEST });

test('an invoice is marked, archived and taken back, and one paid on chain stays', async ({ page, api }) => {
  const invoice = await pickInvoice(api, (one) => isUntouched(one) && one.is_overdue);
  await page.goto(`/invoices?search=${invoice.reference}`);
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  const line = list.invoice(invoice.id);
  const act = async (name: string) => {
    await list.menu(`invoice ${shortId(invoice.id)}`).click();
    await list.item(name).click();
    await list.dialog.getByRole('button', { name }).click();
  };
  const undo = page.getByRole('button', { name: 'Undo' });
  try {
    await act('Mark as paid');
    await expect(list.toast('Status updated')).toContainText('1 invoice(s) have been marked as paid');
    await expect(line.getByText('Off-platform')).toBeVisible();
    await undo.click();
    await expect(line.getByText('Overdue')).toBeVisible();
    await act('Archive');
    await expect(line).toHaveCount(0);
    await undo.click();
    await expect(line).toBeVisible();
  } finally {
    await markUnpaid(api, [invoice.id]);
    await unarchive(api, [invoice.id]);
  }

  const paid = await pickInvoice(
    api,
    ({ is_paid, amount, paid_amount }) => is_paid && amount === paid_amount,
  );
  const { data } = await api.call('GET /api/invoices/{id}', { params: { id: paid.id } });
  const reason = data.unpaid_refusal === 'invoice_paid_on_chain' ? 'seen on chain' : 'paid out';
  await page.goto(`/invoices?search=${paid.reference}`);
  await list.groups.first().press('Enter');
  await list.menu(`invoice ${shortId(paid.id)}`).click();
  await list.item('Mark as unpaid').click();
  await list.dialog.getByRole('button', { name: 'Mark as unpaid' }).click();
  await expect(list.dialog.getByRole('alert')).toHaveText(
    new RegExp(`^Error updating status: .*${reason}.*cannot be marked as unpaid`),
  );
});

test('groups and invoices are marked together, and a selection that changed meanwhile is not', async ({
  page,
  api,
}) => {
  const { data } = await listGroups(api, { tab: 'unpaid', limit: '100' });
  const small = data.filter((group) => group.invoice_count < 15 && group.part_paid_count === 0);
  const [whole, other] = small.filter((group) => group.trader !== null && group.overdue_count > 0);
  const name = whole?.reference_number ?? '';
  const ofWhole = (await invoicesOf(api, name)).filter(({ status }) => status === 'pending');
  const single = (await invoicesOf(api, other?.reference_number ?? '')).find(isUntouched);
  const list = invoicesScreen(page);
  const show = async (reference: string) => {
    await list.groups.first().focus();
    await expect(async () => {
      if ((await list.group(reference).count()) === 0) await page.keyboard.press('PageDown');
      await expect(list.group(reference)).toBeVisible({ timeout: 300 });
    }).toPass();
  };
  const select = async () => {
    await page.goto('/invoices?tab=unpaid&rows=100');
    await show(name);
    await page.getByRole('checkbox', { name: `Select group ${name}` }).check();
    await show(other?.reference_number ?? '');
    await list.group(other?.reference_number ?? '').click();
    await page.getByRole('checkbox', { name: `Select invoice ${shortId(single?.id ?? '')}` }).check();
    await list.bar.getByRole('button', { name: 'Mark as paid' }).click();
    const sum = formatUsd(sumDecimals([...ofWhole, ...(single ? [single] : [])].map(outstandingOf)));
    await expect(list.dialog).toHaveAccessibleDescription(
      `${ofWhole.length + 1} invoices of 2 traders, ${sum} outstanding, will be marked as paid.`,
    );
  };
  const confirm = list.dialog.getByRole('button', { name: 'Mark as paid' });
  const [first] = ofWhole;
  try {
    await select();
    await api.call('PATCH /api/invoices/{id}/archive', {
      params: { id: first?.id ?? '' },
      idempotencyKey: null,
      body: { is_archived: true },
    });
    await confirm.click();
    await expect(list.toast('Error updating status')).toContainText('have changed');
    await unarchive(api, [first?.id ?? '']);
    await select();
    await confirm.click();
    const n = ofWhole.length + 1;
    await expect(page.getByText(`${n} invoice(s) have been marked as paid`, { exact: true })).toBeVisible();
    await expect(list.bar).toHaveCount(0);
  } finally {
    await unarchive(api, [first?.id ?? '']);
    await markUnpaid(api, [...ofWhole.map(({ id }) => id), single?.id ?? '']);
  }
});

test('writing off above the limit of one person asks for a reason, waits for another super admin, and says so in the rows', async ({
  page,
}) => {
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
