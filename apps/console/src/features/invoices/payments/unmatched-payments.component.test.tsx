import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../../app/query-client.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import { showInvoices } from '../../../testing/show-invoices.ts';
import { idOf, type Shown, STAFF } from '../../../testing/show-screen.tsx';
import { invoicesKeys } from '../invoices-keys.ts';

type Payment = CallAnswer<'GET /api/payments/unmatched'>['data'][number];

const CALL = 'GET /api/payments/unmatched';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const HASH = `0x${'5a'.repeat(32)}`;
const AT = '2026-01-02T10:00:00.000Z';

function paymentOf(n: number, changes: Partial<Payment> = {}): Payment {
  const id = idOf(n);
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
    received_at: AT,
    is_awaiting_approval: false,
    returning: null,
    ...changes,
  };
}

/** These payments, page by page, as they are at the time. */
const unmatched = (payments: () => readonly Payment[]): Answers => ({
  [CALL]: ({ query }) => {
    const all = payments();
    const from = Number(query.offset);
    const returning = all.filter((payment) => payment.returning).length;
    return {
      success: true,
      data: all.slice(from, from + Number(query.limit)),
      meta: { total: all.length, waiting: all.length - returning, returning, total_amount: '120.5' },
    };
  },
});

const open = (payments: () => readonly Payment[], { answers, ...shown }: Shown = {}) =>
  showInvoices({ answers: { ...unmatched(payments), ...answers }, ...shown });

const notice = page.getByRole('status').filter({ hasText: /waits? for an invoice/ });
const show = page.getByRole('button', { name: 'Show', exact: true });
const dialog = page.getByRole('dialog', { name: 'Payments without an invoice' });
/** Without the row of headers. */
const rows = () => dialog.getByRole('row').elements().slice(1);
const row = (nth: number) => dialog.getByRole('row').nth(nth + 1);

test('where all money went to invoices, there is no notice', async () => {
  const { server } = await open(() => []);
  await expect.poll(() => server.sentTo(CALL)).toHaveLength(1);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Invoices');
  expect(show.elements()).toEqual([]);
});

test('waiting payments are announced, listed page by page, and link to their traders', async () => {
  const payments = [
    paymentOf(1, { amount: '20', open_amount: '7.25' }),
    ...Array.from({ length: 11 }, (_, index) => paymentOf(index + 2)),
  ];
  await open(() => payments);
  await expect.element(notice).toHaveTextContent('12 payments of 120.50 USDT wait for an invoice');
  await show.click();
  await expect.element(dialog).toHaveAccessibleDescription(/applied to the next invoice automatically/);
  await expect.poll(rows).toHaveLength(10);
  await expect.element(row(0)).toHaveTextContent('Northern Lights Trading Circle');
  await expect.element(row(0)).toHaveTextContent('20.00');
  await expect.element(row(0)).toHaveTextContent('7.25');
  await expect
    .element(row(0).getByRole('link', { name: /Payment transaction/ }))
    .toHaveAttribute('href', `https://explorer.example/tx/${HASH}`);
  await expect
    .element(dialog.getByRole('link', { name: 'KAIT-1001 early_payer_1' }))
    .toHaveAttribute('href', `/trader/${idOf(1)}`);
  await dialog.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(rows).toHaveLength(2);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(show).toHaveFocus();
});

test('an invoice that takes a waiting payment ends the notice, and empties the list', async () => {
  let payments = [paymentOf(1)];
  await open(() => payments);
  await expect.element(notice).toHaveTextContent('1 payment of 120.50 USDT waits for an invoice');
  await show.click();
  await expect.poll(rows).toHaveLength(1);
  payments = [];
  // As after a change event: see create-refresher.test.ts.
  await queryClient.invalidateQueries({ queryKey: invoicesKeys.unmatched });
  await expect.element(dialog).toHaveTextContent('No unmatched payments');
  await userEvent.keyboard('{Escape}');
  await expect.element(notice).not.toBeInTheDocument();
});

test('credit goes back to its trader, where it has an address', async () => {
  const problem = 'over_day_limit';
  const payments = [
    paymentOf(1),
    paymentOf(2, { trader: { ...paymentOf(2).trader, payout_address: null } }),
    paymentOf(3, {
      open_amount: '0',
      returning: { amount: '10.5', to_address: ADDRESS, transaction_hash: null, problem },
    }),
    paymentOf(4, { is_awaiting_approval: true }),
  ];
  const { server } = await open(() => payments, {
    answers: {
      'POST /api/payments/{id}/return': { success: true, data: { state: 'done', order_id: null } },
    },
  });
  await expect
    .element(notice)
    .toHaveTextContent('3 payments of 120.50 USDT wait for an invoice, 1 payment is being sent back');
  await show.click();
  await expect.element(row(1).getByRole('button', { name: 'Make a tip' })).toBeVisible();
  expect(row(1).getByRole('button', { name: 'Send back' }).elements()).toEqual([]);
  await expect.element(row(2)).toHaveTextContent('Sending back to');
  await expect.element(row(2)).toHaveTextContent('The daily limit is reached');
  await expect.element(row(3)).toHaveTextContent('Waits for another super admin');
  expect(row(3).getByRole('button').elements()).toEqual([]);
  await row(0).getByRole('button', { name: 'Send back' }).click();
  const asking = page.getByRole('dialog', { name: 'Send credit back' });
  await expect.element(asking).toHaveTextContent(ADDRESS);
  await asking.getByLabelText('Reason').fill('Paid twice');
  await asking.getByRole('button', { name: 'Send back' }).click();
  await expect.element(page.getByText('Credit is being sent back', { exact: true })).toBeVisible();
  expect(server.sentTo('POST /api/payments/{id}/return')).toMatchObject([
    { params: { id: idOf(1) }, body: { amount: '10.5', reason: 'Paid twice', to_address: ADDRESS } },
  ]);
  // The question replaced the list, and the list the question: the focus goes back to what opened the first of them.
  await expect.poll(rows).toHaveLength(4);
  await userEvent.keyboard('{Escape}');
  await expect.element(show).toHaveFocus();
});

test('a list that cannot be loaded is requested again', async () => {
  const { server } = await open(() => [paymentOf(1)]);
  await expect.element(show).toBeVisible();
  server.answer({ [CALL]: refuse(500, 'internal_error', 'Broken') });
  await show.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The payments could not be loaded');
  server.answer(unmatched(() => [paymentOf(1)]));
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(rows).toHaveLength(1);
});

test('staff do not request them', async () => {
  const { server } = await open(() => [], { user: STAFF });
  await expect.poll(() => server.sentTo('GET /api/invoices/admin/groups')).toHaveLength(1);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Invoices');
  expect(server.sentTo(CALL)).toEqual([]);
});

test('notice, list and question are accessible; at phone width the rows are cards that fit', async () => {
  const payments = [
    paymentOf(1, { amount: '123456.123456', open_amount: '123456.123456' }),
    paymentOf(2, { transaction_hash: null }),
    ...Array.from({ length: 10 }, (_, index) => paymentOf(index + 3)),
  ];
  await open(() => payments);
  await expect.element(show).toBeVisible();
  await expectAccessible();
  await page.viewport(390, 844);
  await show.click();
  const cards = dialog.getByRole('list', { name: /^Payments without an invoice/ });
  await expect.element(cards).toBeVisible();
  expect(cards.element().scrollWidth).toBe(cards.element().clientWidth);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Send back' }).first().click();
  await expect.element(page.getByRole('dialog', { name: 'Send credit back' })).toBeVisible();
  await expectAccessible();
});
