import { formatUsd } from '@copydesk/domain/money';
import { invoicesScreen, isUntouched, pickInvoice } from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

const ID = '00000000-0000-4000-a000-000000000001';
const RUN = {
  id: ID,
  trader_id: null,
  community_id: null,
  state: 'running',
  traders: 3,
  positions: 10,
  invoices: 2,
  amount: '120.5',
  requested_by: 'super@copydesk.example',
  problem_count: 0,
  messages: { waiting: 0, failed: 0 },
  created_at: '2026-01-01T10:00:00.000Z',
  finished_at: null,
};

test('invoicing is run for everybody or a community, and followed to its end', async ({ page, api }) => {
  const [community] = (await api.call('GET /api/communities')).data;
  const done = { ...RUN, state: 'done', invoices: 5, problem_count: 1, finished_at: RUN.created_at };
  const problems = [
    { trader_id: ID, reference_number: 'KAIT-9', reason: 'no_deposit_address' },
    { trader_id: ID.replace('1', '2'), reference_number: 'KAIT-10', reason: 'unknown_profit' },
  ];
  let asked = 0;
  const started: { body: unknown; key: string | undefined }[] = [];
  await page.route('**/api/invoices/runs**', (route) => {
    const request = route.request();
    if (request.method() === 'POST') {
      started.push({ body: request.postDataJSON(), key: request.headers()['idempotency-key'] });
      return route.fulfill({ status: 201, json: { success: true, data: RUN } });
    }
    if (!request.url().includes(ID))
      return route.fulfill({ json: { success: true, data: [done], meta: { total: 1 } } });
    asked += 1;
    const data = asked > 2 ? { ...done, problems } : { ...RUN, problems: [] };
    return route.fulfill({ json: { success: true, data } });
  });
  await page.goto('/invoices');
  const { dialog } = invoicesScreen(page);
  await expect(page.getByText(/^Last invoicing .*: 5 invoices, \$121, 1 problem$/)).toBeVisible();
  await page.getByRole('button', { name: 'Run invoicing' }).click();
  await expect(dialog).toHaveAccessibleDescription(/^Closed positions of all traders/);
  await dialog.getByRole('combobox', { name: 'For' }).selectOption({ label: community?.name });
  await dialog.getByRole('button', { name: 'Run invoicing' }).click();
  await expect(dialog.getByText('Invoicing is running...')).toBeVisible();
  await expect(dialog.getByText('Invoicing is complete')).toBeVisible();
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(started).toEqual([
    { body: { community_id: community?.id }, key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
  await expect(dialog).toContainText(formatUsd(RUN.amount));
  const list = dialog.getByRole('list', { name: 'Problems' });
  await expect(list).toHaveText(/KAIT-9.*No deposit address/);
  await expect(list).toHaveText(/KAIT-10.*no known USD value and was not invoiced/);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(dialog).toHaveCount(0);
});

test('a trader is notified of unpaid invoices after a question', async ({ page, api }) => {
  const invoice = await pickInvoice(api, (one) => isUntouched(one) && one.is_overdue);
  const keys: (string | undefined)[] = [];
  await page.route('**/notify', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const message = 'Queued for Telegram';
    return route.fulfill({ json: { success: true, message, data: { message_id: ID } } });
  });
  await page.goto(`/invoices?search=${invoice.reference}`);
  const list = invoicesScreen(page);
  await list.menu(invoice.reference).click();
  await list.item('Notify of unpaid invoices').click();
  await expect(list.dialog).toHaveAccessibleDescription(new RegExp(`${invoice.reference}.*Telegram message`));
  await list.dialog.getByRole('button', { name: 'Notify' }).click();
  await expect(list.toast('Queued for')).toContainText('Queued for Telegram');
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test.describe('messages that cannot be sent', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a refused notification shows the reason in its dialog', async ({ page, api }) => {
    const invoice = await pickInvoice(api, isUntouched);
    const list = invoicesScreen(page);
    await page.goto(`/invoices?search=${invoice.reference}`);
    await list.menu(invoice.reference).click();
    await list.item('Notify of unpaid invoices').click();
    for (const [status, error, message, shown] of [
      [503, 'unavailable', 'Not now.', 'Failed to send notification. Please try again.'],
      [422, 'trader_not_reachable', 'No chat', 'Unable to find trader information'],
      [409, 'nothing_unpaid', 'This trader has no unpaid invoices', 'This trader has no unpaid invoices'],
    ] as const) {
      await page.unroute('**/notify');
      await page.route('**/notify', (route) =>
        route.fulfill({ status, json: { success: false, error, message } }),
      );
      await list.dialog.getByRole('button', { name: 'Notify' }).click();
      await expect(list.dialog.getByRole('alert')).toHaveText(shown);
    }
  });
});
