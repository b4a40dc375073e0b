import type { CallAnswer } from '@copydesk/contract';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { openStill, withoutNews } from './support/news.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import { pickTrader } from './support/traders-list.ts';

type Payment = CallAnswer<'GET /api/payments/unmatched'>['data'][number];

const CALL = '**/api/payments/unmatched?*';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const HASH = `0x${'5a'.repeat(32)}`;

function paymentOf(n: number, changes: Partial<Payment> = {}): Payment {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return {
    id,
    trader: {
      id,
      name: null,
      telegram_username: `early_payer_${n}`,
      reference_number: `KAIT-${1000 + n}`,
      community: { id, name: 'Northern Lights Trading Circle' },
      payout_address: ADDRESS,
    },
    amount: '10.5',
    open_amount: '10.5',
    transaction_hash: HASH,
    received_at: '2026-01-02T10:00:00.000Z',
    is_awaiting_approval: false,
    returning: null,
    ...changes,
  };
}

/** Answers with these payments, page by page, as they are at the time. */
async function answerUnmatched(page: Page, payments: () => readonly Payment[], total_amount = '120.5') {
  await page.route(CALL, (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
    const all = payments();
    const data = all.slice(offset, (offset ?? 0) + (limit ?? 0));
    const returning = all.filter((payment) => payment.returning).length;
    const meta = { total: all.length, waiting: all.length - returning, returning, total_amount };
    return route.fulfill({ json: { success: true, data, meta } });
  });
}

function unmatched(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Payments without an invoice' });
  return {
    notice: page.getByRole('status').filter({ hasText: /waits? for an invoice/ }),
    show: page.getByRole('button', { name: 'Show', exact: true }),
    dialog,
    rows: dialog.getByRole('table').locator('tbody tr'),
  };
}

test('where all money went to invoices, there is no notice', async ({ page }) => {
  const { meta } = await openStill(page, '/invoices', 'GET /api/payments/unmatched');
  expect(meta.total).toBe(0);
  await expect(page.getByRole('treegrid')).toBeVisible();
  await expect(unmatched(page).show).toHaveCount(0);
});

test('waiting payments are announced, listed page by page, and link to their traders', async ({
  page,
  api,
}) => {
  const [known] = (await api.call('GET /api/traders', { query: { limit: '1' } })).data;
  const trader = { ...paymentOf(1).trader, id: known?.id ?? '' };
  const payments = [
    paymentOf(1, { trader, amount: '20', open_amount: '7.25' }),
    ...Array.from({ length: 11 }, (_, index) => paymentOf(index + 2)),
  ];
  await answerUnmatched(page, () => payments);
  await page.goto('/invoices');
  const { notice, show, dialog, rows } = unmatched(page);
  await expect(notice).toContainText('12 payments of 120.50 USDT wait for an invoice');
  await show.click();
  await expect(dialog).toHaveAccessibleDescription(/applied to the next invoice automatically/);
  await expect(rows).toHaveCount(10);
  const first = rows.first();
  await expect(first).toContainText('Northern Lights Trading Circle');
  await expect(first).toContainText('20.00');
  await expect(first).toContainText('7.25');
  await expect(first.getByRole('link', { name: /Payment transaction/ })).toHaveAttribute(
    'href',
    new RegExp(`/tx/${HASH}$`),
  );
  await dialog.getByRole('button', { name: 'Next page' }).click();
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(show).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'KAIT-1001 early_payer_1' }).click();
  await expect(page).toHaveURL(`/trader/${trader.id}`);
  await expect(dialog).toHaveCount(0);
});

test('an invoice that takes a waiting payment ends the notice, and empties the list', async ({
  page,
  api,
}) => {
  const { id } = await pickTrader(api, { tab: 'delinquent' });
  const change = (status: 'delinquent' | 'connected') =>
    api.call('PATCH /api/traders/{id}', { params: { id }, body: { status } });
  let payments = [paymentOf(1)];
  await answerUnmatched(page, () => payments);
  await page.goto('/invoices');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const { notice, show, dialog, rows } = unmatched(page);
  await expect(notice).toContainText('1 payment of 120.50 USDT waits for an invoice');
  await show.click();
  await expect(rows).toHaveCount(1);
  payments = [];
  // Whatever changes of a trader may have been an invoice.
  await change('connected');
  try {
    await expect(dialog).toContainText('No unmatched payments');
  } finally {
    await change('delinquent');
  }
  await page.keyboard.press('Escape');
  await expect(notice).toHaveCount(0);
});

test('credit goes back to its trader, where it has an address', async ({ page }) => {
  const problem = 'over_day_limit';
  await answerUnmatched(page, () => [
    paymentOf(1),
    paymentOf(2, { trader: { ...paymentOf(2).trader, payout_address: null } }),
    paymentOf(3, {
      open_amount: '0',
      returning: { amount: '10.5', to_address: ADDRESS, transaction_hash: null, problem },
    }),
    paymentOf(4, { is_awaiting_approval: true }),
  ]);
  const sent: unknown[] = [];
  await page.route('**/api/payments/*/return', (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { success: true, data: { state: 'done', order_id: null } } });
  });
  await page.goto('/invoices');
  const { notice, show, rows } = unmatched(page);
  await expect(notice).toContainText(
    '3 payments of 120.50 USDT wait for an invoice, 1 payment is being sent back',
  );
  await show.click();
  await expect(rows.nth(1).getByRole('button', { name: 'Send back' })).toHaveCount(0);
  await expect(rows.nth(1).getByRole('button', { name: 'Make a tip' })).toBeVisible();
  await expect(rows.nth(2)).toContainText('Sending back to');
  await expect(rows.nth(2)).toContainText('The daily limit is reached');
  await expect(rows.nth(3)).toContainText('Waits for another super admin');
  await expect(rows.nth(3).getByRole('button')).toHaveCount(0);
  await rows.first().getByRole('button', { name: 'Send back' }).click();
  const asking = page.getByRole('dialog', { name: 'Send credit back' });
  await expect(asking).toContainText(ADDRESS);
  await expectAccessible(page);
  await asking.getByLabel('Reason').fill('Paid twice');
  await asking.getByRole('button', { name: 'Send back' }).click();
  await expect(page.getByText('Credit is being sent back', { exact: true })).toBeVisible();
  expect(sent).toEqual([{ amount: '10.5', reason: 'Paid twice', to_address: ADDRESS }]);
  // The question replaced the list, and the list the question: the focus goes back to what opened the first of them.
  await expect(rows).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(show).toBeFocused();
});

test.describe('that cannot be loaded', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('are requested again', async ({ page }) => {
    await withoutNews(page);
    await answerUnmatched(page, () => [paymentOf(1)]);
    await page.goto('/invoices');
    const { show, dialog, rows } = unmatched(page);
    await expect(show).toBeVisible();
    const failing = /\/payments\/unmatched\?limit=10\b/;
    await page.route(failing, (route) =>
      route.fulfill({ status: 500, json: { success: false, error: 'internal_error', message: 'Broken' } }),
    );
    await show.click();
    await expect(dialog.getByRole('alert')).toContainText('The payments could not be loaded');
    await page.unroute(failing);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(rows).toHaveCount(1);
  });
});

test.describe('of no concern to staff', () => {
  test.use({ persona: 'staff' });

  test('are not requested', async ({ page }) => {
    const asked: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/payments/unmatched') && asked.push(request.url()),
    );
    await page.goto('/invoices');
    await expect(page.getByRole('treegrid')).toBeVisible();
    expect(asked).toEqual([]);
  });
});

test('the notice and the list are accessible, and fit a phone', async ({ page }) => {
  await answerUnmatched(page, () => [
    paymentOf(1, { amount: '123456.123456', open_amount: '123456.123456' }),
    paymentOf(2, { transaction_hash: null }),
    ...Array.from({ length: 10 }, (_, index) => paymentOf(index + 3)),
  ]);
  await page.goto('/invoices');
  const { show, dialog } = unmatched(page);
  await expect(show).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await show.click();
  const cards = dialog.getByRole('list', { name: /^Payments without an invoice/ });
  await expect(cards).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await cards.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBe(0);
});
