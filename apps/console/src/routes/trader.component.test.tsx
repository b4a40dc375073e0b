import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAbout, fakeTime, pass } from '../testing/faked-time.ts';
import { never, refuse } from '../testing/serve-calls.ts';
import { idOf } from '../testing/show-screen.tsx';
import { AT, BYBIT, KUCOIN, showTrader, traderOf } from '../testing/show-trader.ts';

const GET = 'GET /api/traders/{id}';
const title = page.getByRole('heading', { level: 1 });
const back = page.getByRole('button', { name: 'Back to Traders' });
const again = page.getByRole('button', { name: 'Try Again' });
const status = page.getByRole('combobox', { name: 'Trader Status' });
const part = (name: string) => page.getByRole('region', { name });
/** The list, where the way back leads. */
const LIST = { 'GET /api/traders': never };

test('names the trader, its number, its status and its balance, and leads back', async () => {
  const { address } = await showTrader(
    { aum: 2000.4, last_updated_by: 'eve@example.com', exchanges: [BYBIT, KUCOIN] },
    { answers: LIST },
  );
  await expect.element(title).toHaveTextContent(/^ada$/);
  expect(document.title).toBe('ada · Copydesk');
  await expect.element(page.getByText('KAIT number KAIT-1')).toBeVisible();
  await expect.element(status).toHaveValue('connected');
  await expect.element(page.getByText('Last updated by eve@example.com')).toBeVisible();
  const aum = part('AUM Management');
  await expect.element(aum.getByText('Current AUM', { exact: true })).toBeVisible();
  await expect.element(aum.getByText('$2,000', { exact: true })).toBeVisible();
  // One line says how old all of it is, and what is old says so itself.
  const freshness = page.getByRole('banner').getByRole('button', { name: /^AUM not read since / });
  // The pointer would pass over keys, which it reveals.
  await expect.element(freshness).toBeVisible();
  (freshness.element() as HTMLElement).focus();
  await expect
    .element(page.getByRole('tooltip').getByRole('listitem').filter({ hasText: 'Balances' }))
    .toHaveTextContent(/^Balances, the oldest of 2not read since /);
  await expect.element(aum.getByText(/^not read since /)).toBeVisible();
  await expect.element(part('User Information').getByText('KAIT-1')).toBeVisible();
  await expect.element(page.getByText('Last Updated', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Created', { exact: true })).toBeVisible();
  await back.click();
  await expect.poll(address).toBe('/');
});

test('what was just read is not marked, and the top bar says when', async () => {
  const now = new Date().toISOString();
  await showTrader({
    last_updated_by: null,
    aum_read_at: now,
    exchanges: [{ ...BYBIT, equity_read_at: now }],
  });
  const freshness = page.getByRole('banner').getByRole('button', { name: /^Oldest reading as of today / });
  await expect.element(freshness).toBeVisible();
  await expect.element(part('AUM Management').getByText(/^not read /)).not.toBeInTheDocument();
  await expect.element(page.getByText('Last updated by N/A')).toBeVisible();
});

test('shows the gaps of a new trader', async () => {
  await showTrader(
    {
      ...{ status: 'pending', name: null, telegram_username: null, reference_number: null },
      ...{ aum: null, aum_read_at: null, exchanges: [] },
    },
    {
      answers: {
        'GET /api/traders/{id}/closed-positions': {
          success: true,
          data: [],
          meta: { total: 0, net_profit: '0', unknown_profit: 0 },
        },
        'GET /api/traders/{id}/equity': { success: true, data: [], meta: { events: [] } },
        'GET /api/traders/{id}/pnl-days': { success: true, data: [] },
      },
    },
  );
  await expect.element(title).toHaveTextContent('Unknown Trader');
  await expect.element(page.getByText('No reference number')).toBeVisible();
  await expect.element(status).toHaveValue('pending');
  const user = part('User Information');
  await expect.element(user.getByText('Not set')).toBeVisible();
  expect(user.getByText('Not provided').elements()).toHaveLength(4);
  for (const [name, text] of [
    ['AUM Management', 'Not calculated'],
    ['Active Positions', 'No active positions'],
    ['Active Positions', "This trader doesn't have any open positions"],
    ['Exchange Keys', 'No exchanges connected'],
    ['Exchange Keys', "This trader hasn't connected any exchanges yet"],
    ['Position History', 'No position history'],
    ['Position History', "This trader hasn't closed any positions yet"],
    ['Equity curve', 'No equity recorded in this range'],
    ['PnL calendar', 'No position was closed in this month'],
  ] as const)
    await expect.element(part(name).getByText(text)).toBeVisible();
  expect(part('Invoice Information').elements()).toEqual([]);
});

test('a trader that does not exist is not found', async () => {
  const { address, server } = await showTrader({}, { answers: { ...LIST, [GET]: refuse(404, 'not_found') } });
  await expect.element(title).toHaveTextContent('Trader Not Found');
  await expect.element(page.getByText('The requested trader could not be found.')).toBeVisible();
  expect(again.elements()).toEqual([]);
  expect(server.sentTo(GET)).toHaveLength(1);
  await back.click();
  await expect.poll(address).toBe('/');
});

test('a slow answer is announced after ten seconds, and can be tried again', async () => {
  fakeTime();
  const since = Date.now();
  const { server } = await showTrader({}, { answers: { [GET]: never } });
  const loading = page.getByRole('status').filter({ hasText: 'Loading trader details...' });
  await expect.element(loading).toBeVisible();
  await pass(9_900 - (Date.now() - since));
  expect(loading.elements()).toHaveLength(1);
  await expect.element(title).toHaveTextContent('Loading Taking Too Long');
  expectAbout(Date.now() - since, 10_000);
  await expect.element(back).toBeVisible();
  vi.useRealTimers();
  server.answer({ [GET]: { success: true, data: traderOf({}) } });
  await again.click();
  await expect.element(title).toHaveTextContent(/^ada$/);
});

const MESSAGE = 'Something went wrong on our side';
const unreachable = () => {
  throw new TypeError('Failed to fetch');
};

test.each([
  [
    'access is denied',
    refuse(403, 'forbidden', MESSAGE),
    'Access Denied',
    /You don't have permission to view this trader/,
  ],
  [
    'the server fails',
    refuse(500, 'some_error', MESSAGE),
    'Something went wrong',
    /^Something went wrong on our side$/,
  ],
  ['nothing answers', unreachable, 'Connection Error', /check your internet connection/],
] as const)('cannot be loaded because %s', async (what, answer, heading, text) => {
  fakeTime();
  const { server } = await showTrader({}, { answers: { [GET]: answer } });
  const asked = () => server.sentTo(GET).length;
  await expect.poll(asked).toBe(1);
  // Three more attempts after 1, 2 and 4 seconds, but none after a refusal.
  const isRefused = what === 'access is denied';
  for (const [before, ms] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    if (!isRefused) await expect.poll(asked).toBe(before);
    await pass(ms);
  }
  await expect.element(title).toHaveTextContent(heading);
  expect(asked()).toBe(isRefused ? 1 : 4);
  await expect.element(page.getByRole('alert').getByRole('paragraph')).toHaveTextContent(text);
  await expect.element(back).toBeVisible();
  vi.useRealTimers();
  server.answer({ [GET]: { success: true, data: traderOf({}) } });
  await again.click();
  await expect.element(title).toHaveTextContent(/^ada$/);
});

test('its invoices lead to all invoices of its number', async () => {
  const invoice = { id: idOf(7), amount: '12.5', is_paid: false, status: 'pending' as const, created_at: AT };
  await showTrader({ invoices: { total_count: 9, recent_invoices: [invoice] } });
  const link = part('Invoice Information').getByRole('link', { name: 'View all' });
  await expect.element(link).toHaveAttribute('href', '/invoices?search=KAIT-1');
});

test('markup in a number is shown as text', async () => {
  const markup = '<img src=x onerror="window.wasRun=1"><b>bold</b>';
  await showTrader({ reference_number: markup });
  await expect.element(page.getByText(markup).first()).toBeVisible();
  expect('wasRun' in window).toBe(false);
});
