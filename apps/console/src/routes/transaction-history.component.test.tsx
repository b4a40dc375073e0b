import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { expectAbout, pass } from '../testing/faked-time.ts';
import { never, refuse } from '../testing/serve-calls.ts';
import {
  ADDRESS,
  LIST,
  listOf,
  showPayouts as open,
  type Payout,
  panelOf,
  payoutOf,
} from '../testing/show-payouts.ts';
import { idOf, STAFF } from '../testing/show-screen.tsx';

/** Of a super admin, whose boxes come first. */
const COLUMNS = [
  '',
  'Date',
  'Status',
  'Recipient Type',
  'Recipient Address',
  'Amount (USDT)',
  'Consolidate Tx',
  'Distribute Tx',
];

const grid = page.getByRole('grid', { name: 'Payouts' });
const rows = grid.getByRole('row');
/** After the row of headers. */
const row = (nth: number) => rows.nth(nth + 1);
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
  const askedAt: number[] = [];
  await open({
    answers: {
      [LIST]: () => {
        askedAt.push(Date.now());
        return refuse(500, 'x', 'It broke');
      },
    },
  });
  await pass(10_000);
  for (const [nth, ms] of [1_000, 2_000, 4_000].entries())
    expectAbout((askedAt[nth + 1] as number) - (askedAt[nth] as number), ms);
  await expect.element(alert.getByRole('heading')).toHaveTextContent('Error loading sweep operations');
  await expect.element(alert).toHaveTextContent('It broke');
  expect(askedAt).toHaveLength(4);
});

test('an answer that cannot be shown takes its own row with it and no other', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = [payoutOf(1), { ...payoutOf(2), recipient_type: null }, { ...payoutOf(3), status: '' }];
  await open({ answers: { [LIST]: listOf(broken as Payout[]) }, breaksContract: true });
  await expect.element(row(1)).toHaveTextContent('Error displaying operation data');
  await expect.element(row(2)).toHaveTextContent('unknown');
  expect(row(0).getByRole('gridcell').elements()).toHaveLength(COLUMNS.length);
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

test('beside the list are its timeline, and the shares of invoices that it pays', async () => {
  const { server } = await open({}, `?payout=${idOf(1)}`);
  await expect.element(panelOf(1).getByRole('region', { name: 'Timeline' })).toBeVisible();
  expect(server.sentTo('GET /api/timeline')).toMatchObject([
    { query: { subject_kind: 'payout', subject_id: idOf(1) } },
  ]);
  const shares = panelOf(1).getByRole('list', { name: 'What it pays' });
  await expect.element(shares.getByRole('link').first()).toHaveAttribute('href', `/invoices/${idOf(81)}`);
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
