import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { spyClipboard } from '../../../testing/faked-time.ts';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import {
  AT,
  type InvoiceDetail,
  invoiceDetailOf,
  invoicedPositionOf,
  invoices,
  messagesOf,
  showGroups,
} from '../../../testing/show-invoices.ts';
import { idOf, STAFF } from '../../../testing/show-screen.tsx';

const GET = 'GET /api/invoices/{id}';
const MESSAGES = 'GET /api/messages';
const RETRY = 'POST /api/messages/{id}/retry';
type Message = CallAnswer<typeof MESSAGES>['data'][number];

const ID = idOf(5000);
const { groups, invoice, invoices: lines } = invoices;
const panel = invoices.panel(ID);
const line = invoice(ID);
const address = `0x${'ab'.repeat(20)}`;

const answersOf = (changes: Partial<InvoiceDetail> = {}): Answers => ({
  [GET]: { success: true, data: invoiceDetailOf(changes) },
  'GET /api/invoices/{id}/positions': {
    success: true,
    data: Array.from({ length: 10 }, (_, n) => invoicedPositionOf(n)),
    meta: { total: 12, profit: '335' },
  },
  [MESSAGES]: messagesOf(),
});
const open = (answers: Answers = answersOf(), shown = {}) =>
  showGroups(`?invoice=${ID}`, { ...shown, answers });

test('opens beside the list, appears in the URL, and returns the focus on Escape', async () => {
  const { address: url } = await showGroups('?search=KAIT', { answers: answersOf() });
  await expect.element(groups.first()).toBeVisible();
  (groups.first().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(line).toBeVisible();
  (line.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel).toHaveFocus();
  expect(url()).toBe(`/invoices?search=KAIT&invoice=${ID}`);
  await expect.element(panel.getByRole('link').first()).toHaveAttribute('href', `/invoices/${ID}`);
  await expect.element(panel.getByRole('link').nth(1)).toHaveAttribute('href', `/trader/${idOf(2000)}`);
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  expect(url()).toBe('/invoices?search=KAIT');
  await expect.element(line).toHaveFocus();
});

test('a link opens it: figures, positions that make its amount, split, timeline, and the address to copy', async () => {
  const copied = spyClipboard();
  await open(
    answersOf({
      ...{ amount: '100.333333', status: 'paid', is_paid: true, is_overdue: false },
      ...{ paid_amount: '90.333333', on_chain_amount: '90.333333', provider_share: '70.233333' },
      ...{ settled_by: 'chain', paid_at: AT },
      off_platform: [{ amount: '10', reason: 'marked_paid' }],
      split: [
        { recipient_type: 'mark', amount: '70.233333', state: 'paid', recipient_address: address },
        { recipient_type: 'community', amount: '30.1', state: 'due', recipient_address: null },
        { recipient_type: 'tip', amount: '0.5', state: 'due', recipient_address: null },
      ],
    }),
    { height: 2000 },
  );
  const fact = (name: string) =>
    page.elementLocator(panel.getByText(name, { exact: true }).element().parentElement as HTMLElement);
  await expect.element(panel.getByText('Amount', { exact: true })).toBeVisible();
  await expect.element(fact('Amount')).toHaveTextContent('$100.33');
  await expect.element(fact('Amount').getByTitle(/ USDT$/)).toHaveAttribute('title', '100.333333 USDT');
  await expect.element(fact('Paid on chain')).toHaveTextContent('$90.33');
  await expect.element(fact('Settled off-platform')).toHaveTextContent('$10.00 · marked as paid');
  await expect.element(fact('Provider share')).toHaveTextContent('$70.23');
  await expect.element(fact('Community').getByText('Blue Harbor')).toBeVisible();
  await expect.element(fact('Settled')).toHaveTextContent('on chain');
  await expect.element(fact('Deposit address')).toHaveTextContent('0xabab…abab');
  const split = panel.getByRole('list', { name: 'Split' }).getByRole('listitem');
  // Rounded so that they sum to the amount shown; a tip is none of it.
  expect(split.elements().map(({ textContent }) => textContent)).toEqual([
    'Mark 70%$70.23Paid out',
    'Community 30%$30.10Awaiting payout',
    'Tip 0.5%$0.50Awaiting payout',
  ]);
  const made = panel.getByRole('region', { name: 'How the amount is made' });
  await expect.element(made).toHaveTextContent('Profit of 12 positions+$335.00Commission of 30%$100.50');
  await expect.element(made).toHaveTextContent(/Invoiced\$100\.33/);
  const positions = panel.getByRole('list', { name: 'Positions' }).getByRole('listitem');
  await expect.poll(() => positions.elements()).toHaveLength(10);
  await expect.element(panel.getByRole('region', { name: 'Positions' })).toHaveTextContent('12');
  await expect.element(panel.getByRole('region', { name: 'Timeline' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy deposit address' }).click();
  await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copied.mock.calls).toEqual([[address]]);
});

test('messages say how they fared, and one that failed is sent again', async () => {
  const message: Message = {
    ...{ id: idOf(7), trader_id: idOf(2000), invoice_id: ID, kind: 'invoice_created', language: 'en' },
    ...{ trader: 'KAIT-1', community_id: null, community: null, provider_name: null },
    outcome: 'not_delivered',
    ...{ text: 'You owe\n<b>something</b>', state: 'failed', attempts: 3, problem: 'blocked' },
    ...{ can_retry: true, next_attempt_at: null, requested_by: 'system', created_at: AT, sent_at: null },
  };
  const sent: Message = {
    ...message,
    state: 'sent',
    outcome: 'sent',
    can_retry: false,
    problem: null,
    sent_at: AT,
  };
  let shown = message;
  const { server } = await open({
    ...answersOf(),
    [MESSAGES]: () => messagesOf([shown]),
    [RETRY]: () => {
      shown = sent;
      return { success: true, data: sent };
    },
  });
  const list = panel.getByRole('list', { name: 'Messages' });
  for (const text of ['New invoice', 'Failed', 'The trader has blocked the bot', 'something'])
    await expect.element(list).toHaveTextContent(text);
  expect(list.element().textContent).not.toContain('<b>');
  await list.getByRole('button', { name: 'Retry' }).click();
  await expect.element(list).toHaveTextContent('Sent');
  expect(list.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  expect(server.sentTo(RETRY)).toMatchObject([{ params: { id: idOf(7) }, key: expect.any(String) }]);
});

test('an invoice that does not exist says so, beside the list', async () => {
  const { address: url } = await open({ ...answersOf(), [GET]: refuse(404, 'not_found', 'Not found') });
  await expect.element(panel.getByRole('heading', { name: 'Invoice not found' })).toBeVisible();
  expect(groups.elements()).toHaveLength(10);
  await panel.getByRole('button', { name: 'Close panel' }).click();
  await expect.poll(url).toBe('/invoices');
});

test('offers staff nothing that they may not do', async () => {
  await open(answersOf(), { user: STAFF });
  await expect.element(panel.getByText(/^Admin only/)).toBeVisible();
  await expect.element(panel.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  expect(panel.getByRole('button', { name: /Mark|Notify|Archive/ }).elements()).toEqual([]);
});

test('at phone width it covers the list', async () => {
  await showGroups('', { width: 390, height: 844, answers: answersOf() });
  await expect.element(groups.first()).toBeVisible();
  (groups.first().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(lines.first()).toHaveTextContent('$');
  (lines.first().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const sheet = page.getByRole('dialog', { name: `Invoice ${shortId(ID)}` });
  await expect.element(sheet.getByRole('heading', { name: 'Split' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  await sheet.getByRole('button', { name: 'Close panel' }).click();
  await expect.element(sheet).not.toBeInTheDocument();
});

describe('recalling', () => {
  const PREVIEW = 'POST /api/invoices/admin/preview';
  const RECALL = 'POST /api/invoices/admin/recall';
  const dialog = page.getByRole('dialog', { name: 'Recall this invoice' });
  const recall = panel.getByRole('button', { name: 'Recall' });
  const plan = {
    success: true as const,
    data: { selected: 1, traders: 1, changing: 1, sum: '12.5', given_up: '0', on_chain: 0, left_out: [] },
  };

  test('asks for a reason, says what is no longer asked for, and sends what was seen', async () => {
    const { server } = await open({
      ...answersOf(),
      [PREVIEW]: plan,
      [RECALL]: { success: true, data: { changed: 1, unchanged: 0 } },
    });
    await recall.click();
    await expect.element(dialog).toHaveTextContent('To recall1 invoiceNo longer asked for12.50 USDT');
    await dialog.getByRole('button', { name: 'Recall 1 invoice' }).click();
    await expect.element(dialog).toHaveTextContent('Enter a reason');
    await dialog.getByLabelText('Reason').fill('The rate of another community');
    await dialog.getByRole('button', { name: 'Recall 1 invoice' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByText('1 invoice recalled').first()).toBeVisible();
    expect(server.sentTo(PREVIEW).map(({ body }) => body)).toEqual([{ act: 'recall', invoice_ids: [ID] }]);
    expect(server.sentTo(RECALL).map(({ body }) => body)).toEqual([
      { invoice_ids: [ID], expected_count: 1, reason: 'The rate of another community' },
    ]);
  });

  test('is refused in the dialog, which stays', async () => {
    await open({
      ...answersOf(),
      [PREVIEW]: plan,
      [RECALL]: refuse(409, 'invoice_not_recallable', 'This invoice was paid, in part at least'),
    });
    await recall.click();
    await dialog.getByLabelText('Reason').fill('The rate of another community');
    await dialog.getByRole('button', { name: 'Recall 1 invoice' }).click();
    await expect.element(dialog).toHaveTextContent('This invoice was paid, in part at least');
    await expectAccessible();
  });

  test.each([
    ['a payment on its way', { recall_refusal: 'payment_on_its_way' }, 'A payment is on its way'],
    ['a corrected position', { recall_refusal: 'corrected' }, 'The exchange corrected one of its positions'],
    ['an order that waits', { is_awaiting_approval: true }, ''],
    ['one that is paid', { status: 'paid', is_paid: true, recall_refusal: 'paid' }, ''],
  ] as const)('is not offered for %s', async (_, changes, text) => {
    await open(answersOf(changes));
    await expect.element(panel).toHaveTextContent(text || 'Timeline');
    await expect.element(recall).not.toBeInTheDocument();
  });
});
