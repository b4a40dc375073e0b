import { shortId } from '@copydesk/domain/money';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import {
  AT,
  type InvoiceDetail,
  invoiceDetailOf,
  invoicedPositionOf,
  messagesOf,
} from '../../testing/show-invoices.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const GET = 'GET /api/invoices/{id}';
const POSITIONS = 'GET /api/invoices/{id}/positions';
const PDF = 'GET /api/invoices/{id}/pdf';
const ID = idOf(5000);
const main = page.getByRole('main');
const made = main.getByRole('region', { name: 'How the amount is made' });

const show = (
  changes: Partial<InvoiceDetail> = {},
  answers: Answers = {},
  { user = SUPER_ADMIN, width = 1440 } = {},
) =>
  showScreen(`/invoices/${ID}`, {
    user,
    width,
    height: 1600,
    answers: {
      ...READS_UNDER_WAY,
      [GET]: { success: true, data: invoiceDetailOf(changes) },
      [POSITIONS]: {
        success: true,
        data: [
          invoicedPositionOf(1),
          invoicedPositionOf(2, { symbol: 'ETHUSDT', fees_included: false, closed_pnl: '307.1' }),
        ],
        meta: { total: 2, profit: '335' },
      },
      'GET /api/messages': messagesOf(),
      ...answers,
    } as Answers,
  });

test('says what the amount is made from, position by position, and leads to trader, list and other invoices', async () => {
  await show({
    amount: '99.3',
    basis: {
      ...{ kind: 'positions', positions: 2, before_fees: 1, profit: '335' },
      ...{ commission: '100.5', deducted: '1.2', unexplained: '0' },
    },
    deductions: [{ amount: '1.2', invoice_id: idOf(44), symbol: 'SOLUSDT' }],
    split: [
      { recipient_type: 'mark', amount: '69.51', state: 'frozen', recipient_address: null },
      { recipient_type: 'community', amount: '29.79', state: 'frozen', recipient_address: null },
    ],
  });
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent(`Invoice ${shortId(ID)}`);
  await expect
    .element(made)
    .toHaveTextContent('30% of the profit of every position that closed with one. Losing positions are not');
  await expect.element(made).toHaveTextContent('Profit of 2 positions+$335.00Commission of 30%$100.50');
  await expect.element(made).toHaveTextContent(/Deducted−\$1\.20 · SOLUSDT on .+Invoiced\$99\.30/);
  await expect.element(made).toHaveTextContent('1 position is before trading fees');
  expect(made.element().textContent).not.toContain('than these figures make');
  const rows = main.getByRole('table', { name: 'Positions' }).getByRole('row');
  await expect
    .element(rows.nth(2))
    .toHaveTextContent(/ETHUSDTLong.*Bybit uid-1Meridian Capital.*\+\$307\.10\*/);
  await expect.element(main.getByText('* before trading fees')).toBeVisible();
  const hrefs = main
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'));
  for (const href of [`/trader/${idOf(2000)}`, `/invoices?invoice=${ID}`, `/invoices/${idOf(44)}`])
    expect(hrefs).toContain(href);
  await expect.element(main.getByText('KAIT-1000', { exact: true })).toBeVisible();
  for (const name of ['Split', 'Payments', 'Timeline'])
    await expect.element(main.getByRole('heading', { name, exact: true })).toBeVisible();
  await expectAccessible();
});

test('says what the recorded figures do not make', async () => {
  await show({
    basis: {
      ...{ kind: 'positions', positions: 2, before_fees: 0, profit: '333' },
      ...{ commission: '99.9', deducted: '0', unexplained: '0.6' },
    },
  });
  await expect.element(made).toHaveTextContent('The amount is 0.60 USDT more than these figures make.');
});

test('says that an invoice from another system has no positions', async () => {
  await show(
    {
      basis: {
        ...{ kind: 'positions', positions: 0, before_fees: 0, profit: '0' },
        ...{ commission: '0', deducted: '0', unexplained: '100.5' },
      },
    },
    { [POSITIONS]: { success: true, data: [], meta: { total: 0, profit: '0' } } },
  );
  await expect.element(made).toHaveTextContent('No positions are on record for it');
  await expect.element(main.getByText('No positions recorded for this invoice')).toBeVisible();
});

test('the fee of a cycle is on the result after earlier losses', async () => {
  await show({
    is_of_pool: true,
    basis: {
      ...{ kind: 'cycle', pool_id: idOf(70), cycle_number: 4, fee_basis: 'net_carry' },
      ...{ result: '400', winners: '900', carried_before: '65', carried_after: '0', charged_profit: '335' },
      unexplained: '0',
    },
  });
  await expect
    .element(made)
    .toHaveTextContent(
      /Harvest cycleCycle 4Part of the result\+\$400\.00Losses of earlier cycles\$65\.00Charged on\$335\.00Invoiced\$100\.50/,
    );
  await expect
    .element(made.getByRole('link', { name: 'Cycle 4' }))
    .toHaveAttribute('href', `/pools/${idOf(70)}`);
});

test('an order of a bot is its price less the discount', async () => {
  await show({
    amount: '44.1',
    invoice_type: 'exchange_bot',
    basis: { ...{ kind: 'order', days: 30, price: '49', discount: '4.9' }, unexplained: '0' },
  });
  await expect
    .element(made)
    .toHaveTextContent('Plan of 30 days$49.00Discount of the coupon−$4.90Invoiced$44.10');
  await expect
    .element(main.getByRole('link', { name: 'Exchange bot' }))
    .toHaveAttribute('href', `/bots/orders/${ID}`);
  expect(main.getByRole('table', { name: 'Positions' }).elements()).toEqual([]);
});

test('the PDF is asked for in a language, and a refusal is said', async () => {
  const { server } = await show(
    {},
    { [PDF]: refuse(503, 'documents_busy', 'Too many documents are written') },
  );
  await main.getByRole('button', { name: 'PDF' }).click();
  await page.getByRole('menuitem', { name: 'Polish' }).click();
  await expect.element(page.getByText('Too many documents are written').first()).toBeVisible();
  expect(server.sentTo(PDF)).toMatchObject([{ params: { id: ID }, query: { language: 'pl' } }]);
});

test('staff read all of it and are offered nothing that they may not do', async () => {
  await show({ status: 'paid', is_paid: true, paid_at: AT, settled_by: 'chain' }, {}, { user: STAFF });
  await expect.element(made).toBeVisible();
  await expect.element(main.getByText(/^Admin only/)).toBeVisible();
  expect(main.getByRole('button', { name: /Mark|Notify|Archive|Recall/ }).elements()).toEqual([]);
});

test.each([
  ['a missing one', 404, 'not_found', 'Invoice not found'],
  ['an outage', 503, 'unavailable', 'Error loading invoice'],
])('%s says so, with the way back', async (_, status, code, title) => {
  await show({}, { [GET]: refuse(status, code, 'No answer') });
  await expect.element(main.getByRole('heading', { name: title })).toBeVisible();
  await expect.element(main.getByRole('button', { name: 'Invoices' })).toBeVisible();
});

test('at phone width positions are cards, and nothing is wider than the screen', async () => {
  await show({ trader: { ...invoiceDetailOf().trader, name: 'W'.repeat(120) } }, {}, { width: 390 });
  await expect.element(made).toBeVisible();
  await expect.element(main.getByRole('list', { name: 'Positions' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});
