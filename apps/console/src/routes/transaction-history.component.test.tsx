import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { type Answers, never, refuse } from '../testing/serve-calls.ts';
import { idOf, type Shown, STAFF, showScreen } from '../testing/show-screen.tsx';

type Payout = CallAnswer<'GET /api/sweep-operations/admin/all'>['data'][number];
type Summary = CallAnswer<'GET /api/sweep-operations/summary'>['data'][number];
type Detail = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];

const AT = '2026-01-02T10:00:00.000Z';
const ADDRESS = `0x${'ab'.repeat(20)}`;
const COLUMNS = [
  'Date',
  'Status',
  'Recipient Type',
  'Recipient Address',
  'Amount (USDT)',
  'Consolidate Tx',
  'Distribute Tx',
];

function payoutOf(n: number, changes: Partial<Payout> = {}): Payout {
  return {
    id: idOf(n),
    status: 'distributed',
    recipient_type: 'community',
    recipient_address: ADDRESS,
    total_amount: '10.5',
    consolidate_transaction_hash: `0x${'1'.repeat(64)}`,
    distribute_transaction_hash: `0x${'2'.repeat(64)}`,
    problem: null,
    replaced_by: null,
    is_imported: false,
    awaits_approval: false,
    created_at: AT,
    updated_at: AT,
    community: { id: idOf(1), name: 'Kite Traders' },
    ...changes,
  };
}

const NONE = { amount: '0', count: 0 };
const summaryOf = (changes: Partial<Summary> = {}): Summary => ({
  recipient_type: 'community',
  total_amount: '30',
  count: 3,
  paid: { amount: '20', count: 2 },
  awaiting_approval: NONE,
  under_way: NONE,
  failed: { amount: '10', count: 1 },
  replaced: NONE,
  first_at: AT,
  last_at: '2026-03-02T10:00:00.000Z',
  ...changes,
});

const detailOf = (n: number, changes: Partial<Detail> = {}): Detail => ({
  ...payoutOf(n),
  steps: [
    { kind: 'created', state: 'done', transaction_hash: null, at: AT },
    { kind: 'consolidated', state: 'done', transaction_hash: `0x${'1'.repeat(64)}`, at: AT },
    { kind: 'distributed', state: 'done', transaction_hash: `0x${'2'.repeat(64)}`, at: AT },
  ],
  payables: [
    {
      id: idOf(71),
      invoice_id: idOf(81),
      reference_number: 'KAIT-1',
      amount: '10.5',
      recipient_type: 'community',
    },
  ],
  payable_count: 1,
  transfers: [],
  transfer_count: 0,
  waits_for: null,
  can_retry: false,
  retried_with: [],
  can_cancel: false,
  can_resend: false,
  current_address: null,
  current_address_awaits_release: false,
  current_address_payable_from: null,
  current_address_owner_word: null,
  ...changes,
});

const listOf = (data: Payout[], total = data.length): CallAnswer<'GET /api/sweep-operations/admin/all'> => ({
  success: true,
  data,
  meta: { total, total_amount: '10.5', totals_at: AT, next_cursor: null },
});

const ANSWERS: Answers = {
  'GET /api/sweep-operations/admin/all': listOf([payoutOf(1), payoutOf(2), payoutOf(3)]),
  'GET /api/sweep-operations/summary': {
    success: true,
    data: [summaryOf()],
    meta: { total: 3, total_amount: '30', totals_at: AT },
  },
  'GET /api/sweep-operations/{id}': ({ params }) => ({
    success: true,
    data: { ...detailOf(1), id: params.id ?? '' },
  }),
  'GET /api/super-admin/distributions/awaiting': { success: true, data: [], meta: { total: 0 } },
  'GET /api/super-admin/deposit-reading': {
    success: true,
    data: {
      block_number: 1,
      updated_at: AT,
      stopped_because: null,
      late_seconds: null,
      needs_review: false,
      set_aside: [],
      set_aside_count: 0,
    },
  },
  'GET /api/super-admin/wallets': { success: true, data: [], meta: { total: 0 } },
};
const LIST = 'GET /api/sweep-operations/admin/all';

const open = ({ answers = {}, ...shown }: Shown = {}, search = '') =>
  showScreen(`/transaction-history${search}`, { answers: { ...ANSWERS, ...answers }, ...shown });

const grid = page.getByRole('grid', { name: 'Payouts' });
const rows = grid.getByRole('row');
/** After the row of headers. */
const row = (nth: number) => rows.nth(nth + 1);
const panelOf = (n: number) => page.getByRole('complementary', { name: `Payout ${shortId(idOf(n))}` });
const alert = page.getByRole('alert');

beforeEach(() => {
  vi.useRealTimers();
});

test.each([
  [403, 'Authentication Error', "You don't have permission to view this data."],
  [404, 'Connection Error', 'Unable to connect to the server.'],
])('%s is requested once, and says why', async (status, title, text) => {
  const { server } = await open({ answers: { [LIST]: refuse(status) } });
  await expect.element(alert.getByRole('heading')).toHaveTextContent(title);
  await expect.element(alert).toHaveTextContent(text);
  await expect.element(page.getByRole('button', { name: 'Retry', exact: true })).toBeVisible();
  expect(server.sentTo(LIST)).toHaveLength(1);
  await expectAccessible();
});

test('any other failure is requested again after 1, 2 and 4 seconds, then shown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { server } = await open({ answers: { [LIST]: refuse(500, 'x', 'It broke') } });
  const asked = () => server.sentTo(LIST).length;
  for (const [before, ms] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    await expect.poll(asked).toBe(before);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(asked()).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
  }
  await expect.element(alert.getByRole('heading')).toHaveTextContent('Error loading sweep operations');
  await expect.element(alert).toHaveTextContent('It broke');
  expect(asked()).toBe(4);
});

test('an answer that cannot be shown takes its own row with it and no other', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = [payoutOf(1), { ...payoutOf(2), recipient_type: null }, { ...payoutOf(3), status: '' }];
  await open({ answers: { [LIST]: listOf(broken as Payout[]) }, breaksContract: true });
  await expect.element(row(1)).toHaveTextContent('Error displaying operation data');
  await expect.element(row(2)).toHaveTextContent('unknown');
  expect(row(0).getByRole('gridcell').elements()).toHaveLength(7);
});

test('while it loads it says so, and an empty history as well', async () => {
  const { unmount } = await open({ answers: { [LIST]: never } });
  await expect.element(page.getByText('Loading payouts...')).toBeVisible();
  await unmount();
  await open({ answers: { [LIST]: listOf([]) } });
  await expect.element(page.getByRole('heading', { name: 'No sweep operations found.' })).toBeVisible();
});

test('a payout opens beside the list by keyboard, and gives the focus back on Escape', async () => {
  const { address } = await open();
  await expect.element(row(0)).toBeVisible();
  (row(0).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row(1)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panelOf(2)).toHaveFocus();
  expect(address()).toBe(`/transaction-history?payout=${idOf(2)}`);
  await userEvent.keyboard('{Escape}');
  await expect.element(panelOf(2)).not.toBeInTheDocument();
  expect(address()).toBe('/transaction-history');
  await expect.element(row(1)).toHaveFocus();
});

test('beside the list are its steps, and the shares of invoices that it pays', async () => {
  await open({}, `?payout=${idOf(1)}`);
  const steps = panelOf(1).getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect.element(steps.first()).toBeVisible();
  expect(steps.elements().map(({ textContent }) => /^[A-Z][a-z]+/.exec(textContent ?? '')?.[0])).toEqual([
    'Created',
    'Consolidated',
    'Distributed',
  ]);
  const shares = panelOf(1).getByRole('list', { name: 'What it pays' });
  await expect
    .element(shares.getByRole('link').first())
    .toHaveAttribute('href', `/invoices?invoice=${idOf(81)}`);
  await expectAccessible();
});

test('staff read that amounts are their part, and request nothing of super admins', async () => {
  const { server } = await open({ user: STAFF }, `?payout=${idOf(1)}`);
  await expect.element(page.getByText('Amounts are your part')).toBeVisible();
  await expect.element(page.getByText('Amount, your part')).toBeVisible();
  expect(server.sentTo('GET /api/super-admin/wallets')).toEqual([]);
});

test('each recipient type has its total and its parts, with details in a tooltip', async () => {
  await open();
  const totals = page.getByRole('region', { name: 'Totals by recipient type' });
  const figure = totals.getByRole('button').first();
  await expect.element(figure).toHaveTextContent('3 transactions');
  await expect.element(totals).toHaveTextContent('20 USDT paid');
  await expect.element(totals).toHaveTextContent('10 USDT failed');
  (figure.element() as HTMLElement).focus();
  const tip = page.getByRole('tooltip');
  await expect.element(tip).toHaveTextContent('Average per month');
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeInTheDocument();
});

test('the search narrows this page, and offers to search all', async () => {
  const { address } = await open();
  const search = page.getByRole('searchbox', { name: 'Search this page' });
  await expect.element(row(0)).toBeVisible();
  await search.fill(ADDRESS.slice(2, 12).toUpperCase());
  await expect.element(page.getByText('3 on this page')).toBeVisible();
  // A pasted text loses what pasting added.
  await search.clear();
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', '\u2066 0x00000000\u2069');
  search
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  await expect.element(search).toHaveValue('0x00000000');
  await expect.element(page.getByRole('heading', { name: 'No sweep operations found.' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Search all 3 payouts' }).click();
  expect(address()).toBe('/transaction-history?search=0x00000000');
  await page.getByRole('button', { name: 'Remove filter Search 0x00000000' }).click();
  await expect.element(row(0)).toBeVisible();
});

test('a copied address is announced, and so is a clipboard that refuses', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await open();
  const copy = row(0).getByRole('button', { name: 'Copy recipient address' });
  await copy.click();
  await expect.element(page.getByText('Recipient address copied to clipboard')).toBeVisible();
  expect(copied).toHaveBeenCalledWith(ADDRESS);
  copied.mockRejectedValueOnce(new Error('no'));
  await copy.click();
  await expect.element(page.getByText('Failed to copy address to clipboard')).toBeVisible();
  copied.mockRestore();
});

test.each([1024, 1280])(
  'at %d px no column vanishes: the table scrolls, and the page does not',
  async (width) => {
    await open({ width, height: 800 }, width === 1280 ? `?payout=${idOf(1)}` : '');
    await expect.element(row(0)).toBeVisible();
    const headers = grid.getByRole('columnheader').elements();
    expect(headers.map(({ textContent }) => textContent)).toEqual(COLUMNS);
    headers.at(-1)?.scrollIntoView();
    await expect.element(grid.getByRole('columnheader').last()).toBeInViewport({ ratio: 0.99 });
    expect(document.documentElement.scrollWidth).toBe(width);
  },
);
