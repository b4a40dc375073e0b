import type { CallAnswer } from '@copydesk/contract';
import type { HistoryPosition } from '@copydesk/contract/traders';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../../../app/query-client.ts';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { type Answers, never, type Sent } from '../../../../testing/serve-calls.ts';
import { idOf, STAFF, SUPER_ADMIN } from '../../../../testing/show-screen.tsx';
import { AT, BYBIT, KUCOIN, showTrader } from '../../../../testing/show-trader.ts';

const CLOSED = 'GET /api/traders/{id}/closed-positions';
const EQUITY = 'GET /api/traders/{id}/equity';
const PNL = 'GET /api/traders/{id}/pnl-days';
const AUDIT = 'GET /api/traders/{id}/audit';
const TOTAL = 45;
const PAGE_ROWS = 20;
const DAY_MS = 86_400_000;

const part = (name: string) => page.getByRole('region', { name });
const history = part('Position History');
const calendar = part('PnL calendar');
const equity = part('Equity curve');
const column = (name: string) => history.getByRole('columnheader', { name });
const rows = () => history.getByRole('row').elements();
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const closedAt = (n: number, changes: Partial<HistoryPosition> = {}): HistoryPosition => ({
  id: idOf(300 + n),
  symbol: 'BTCUSDT',
  side: 'long',
  entry_price: '60000',
  exit_price: '61500',
  leverage: '10',
  closed_pnl: `${100 + n}`,
  fees_included: true,
  exchange: 'bybit',
  date: AT,
  created_at: AT,
  acc_uid: BYBIT.acc_uid,
  ...changes,
});

function pageFor(
  { query }: Pick<Sent, 'query'>,
  {
    total = TOTAL,
    unknown = 0,
    first = {},
  }: { total?: number; unknown?: number; first?: Partial<HistoryPosition> } = {},
): CallAnswer<typeof CLOSED> {
  const offset = Number(query.offset ?? 0);
  const count = Math.max(0, Math.min(PAGE_ROWS, total - offset));
  return {
    success: true,
    data: Array.from({ length: count }, (_, row) => closedAt(offset + row, row === 0 ? first : {})),
    meta: { total, net_profit: '1234.5', unknown_profit: unknown },
  };
}

const ANSWERS: Answers = {
  'GET /api/traders': never,
  [CLOSED]: (sent) => pageFor(sent),
  [EQUITY]: {
    success: true,
    data: [6, 5, 4, 3, 2, 1].map((days) => ({ day: dayBefore(days), equity: `${1000 - 10 * days}` })),
    meta: { events: [] },
  },
  [PNL]: {
    success: true,
    data: [40, 0].map((days) => ({
      day: dayBefore(days),
      closed_pnl: '12.5',
      positions: 1,
      unknown_profit: 0,
    })),
  },
};
const show = (answers: Answers = {}, changes: Parameters<typeof showTrader>[0] = {}) =>
  showTrader(changes, { height: 2400, answers: { ...ANSWERS, ...answers } });

test('is counted and summed as a whole, and shown in pages', async () => {
  const { address, server } = await show();
  await expect.element(history.getByRole('heading', { name: 'Position History 45' })).toBeVisible();
  await expect.element(history.getByText('Total Net Profit +$1,234.50')).toBeVisible();
  const headers = history.getByRole('columnheader').elements();
  expect(headers.map(({ textContent }) => textContent)).toEqual([
    'Symbol',
    'Side',
    'Entry Price',
    'Exit Price',
    'Leverage',
    '% Change',
    'PnL',
    'Date',
  ]);
  expect(rows()).toHaveLength(PAGE_ROWS + 1);
  await expect.element(history.getByText('1–20 of 45')).toBeVisible();
  await history.getByRole('button', { name: 'Next page' }).click();
  await expect.element(history.getByText('21–40 of 45')).toBeVisible();
  expect(address()).toMatch(/page=2/);
  expect(server.sentTo(CLOSED).at(-1)?.query).toMatchObject({ offset: '20', limit: '20' });
  await history.getByRole('button', { name: 'Previous page' }).click();
  await expect.poll(address).not.toMatch(/page/);
});

test('a profit that is not known reads N/A, and the sums say how many they leave out', async () => {
  await show({
    [CLOSED]: (sent) =>
      pageFor(sent, { unknown: 3, first: { symbol: 'BTCUSD', closed_pnl: null, fees_included: false } }),
    [PNL]: {
      success: true,
      data: [{ day: dayBefore(0), closed_pnl: null, positions: 1, unknown_profit: 1 }],
    },
  });
  const row = history.getByRole('row').nth(1);
  await expect.element(row).toHaveTextContent('BTCUSD');
  await expect.element(row.getByRole('cell').nth(6)).toHaveTextContent(/^N\/A$/);
  await expect
    .element(row.getByTitle('The exchange does not report this position’s profit in USD'))
    .toBeVisible();
  await expect
    .element(history.getByText('Total Net Profit +$1,234.50'))
    .toHaveTextContent('3 positions not counted');
  await expect.element(calendar.getByText('N/A', { exact: true }).first()).toBeVisible();
  await expect.element(calendar.getByText('1 position not counted')).toBeVisible();
});

test('is sorted by the server, the URL keeps the choice, and the way back leads to the list', async () => {
  const { address, server, unmount } = await show();
  const asked = () => server.sentTo(CLOSED).at(-1)?.query;
  await expect.element(column('PnL').getByRole('button')).toBeVisible();
  const press = async () => {
    (column('PnL').getByRole('button').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  await press();
  await expect.element(column('PnL')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(asked).toMatchObject({ orderBy: 'closed_pnl', orderDir: 'desc' });
  await press();
  await expect.element(column('PnL')).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(asked).toMatchObject({ orderBy: 'closed_pnl', orderDir: 'asc' });
  expect(address()).toMatch(/sort=closed_pnl/);
  // Choices within the screen are no steps of the way back.
  await page.getByRole('button', { name: 'Back to Traders' }).click();
  await expect.poll(address).toBe('/');
  await unmount();
});

test('is narrowed by symbol, account and days, and says when nothing is left', async () => {
  const { address, server } = await show(
    { [CLOSED]: (sent) => pageFor(sent, { total: sent.query.to ? 0 : sent.query.symbol ? 7 : TOTAL }) },
    { exchanges: [BYBIT, KUCOIN] },
  );
  const asked = () => server.sentTo(CLOSED).at(-1)?.query;
  await history.getByRole('textbox', { name: 'Symbol' }).fill('btcusdt');
  await userEvent.keyboard('{Enter}');
  await expect.element(history.getByRole('heading', { name: 'Position History 7' })).toBeVisible();
  expect(address()).toMatch(/symbol=BTCUSDT/);
  expect(asked()).toMatchObject({ symbol: 'BTCUSDT' });
  await history.getByRole('combobox', { name: 'Account' }).selectOptions(KUCOIN.acc_uid);
  await expect.poll(asked).toMatchObject({ symbol: 'BTCUSDT', acc_uid: KUCOIN.acc_uid });
  await history.getByRole('search').getByRole('button', { name: 'Date' }).click();
  const days = page.getByRole('dialog', { name: 'Filter by date' });
  await days.getByLabelText('Last day').fill('2010-01-01');
  await days.getByRole('button', { name: 'Apply' }).click();
  await expect.element(history.getByText('No positions found')).toBeVisible();
  expect(asked()).toMatchObject({ to: '2010-01-01' });
  await history.getByRole('button', { name: 'Clear filters' }).click();
  await expect.element(history.getByRole('heading', { name: 'Position History 45' })).toBeVisible();
});

test('a view of the history keeps days that move with today and columns, and is opened from the trader', async () => {
  const layout = { order: [], hidden: ['leverage'], widths: {}, pinned: null };
  const view = { id: idOf(9), query: 'from=last_7_days&sort=closed_pnl', layout };
  const { address, server } = await showTrader(
    {},
    {
      height: 2400,
      answers: {
        ...ANSWERS,
        'GET /api/saved-views': {
          success: true,
          data: [
            {
              ...view,
              screen: 'closed_positions',
              name: 'Best of the week',
              is_shared: false,
              is_own: true,
              shared_by: null,
              is_default: true,
              created_at: AT,
            },
          ],
        },
      },
      user: { ...SUPER_ADMIN, default_views: { closed_positions: view } },
    },
  );
  await expect.poll(address).toMatch(/\?from=last_7_days&sort=closed_pnl&saved=/);
  await expect.element(history.getByRole('button', { name: 'Views: Best of the week' })).toBeVisible();
  const asked = server.sentTo(CLOSED).at(-1)?.query;
  expect(asked).toMatchObject({ from: dayBefore(6), orderBy: 'closed_pnl', orderDir: 'desc' });
  await expect.element(column('Leverage')).not.toBeInTheDocument();
  await expect.element(column('Exit Price')).toBeVisible();
  await history.getByRole('combobox', { name: 'Rows per page' }).selectOptions('50');
  await expect.poll(() => server.sentTo(CLOSED).at(-1)?.query).toMatchObject({ limit: '50', offset: '0' });
  await expectAccessible();
});

test('the charts follow the range, which the URL keeps', async () => {
  const { address, server } = await show();
  const range = (name: string) => page.getByRole('radio', { name });
  await expect.element(range('90 days')).toBeChecked();
  await expect.element(equity.getByRole('img', { name: /^Equity from / })).toBeVisible();
  await expect.element(equity.getByText('Deepest drawdown')).toBeVisible();
  await equity.getByText('Show as a table').click();
  await expect.element(equity.getByRole('row').nth(1)).toHaveTextContent('$');
  const name = calendar.getByRole('status').element().textContent ?? '';
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  await expect.element(calendar.getByRole('status')).not.toHaveTextContent(name);
  expect(address()).toMatch(/month=20\d\d-\d\d/);
  await page.getByText('1 year', { exact: true }).click();
  await expect.poll(address).toMatch(/range=1y/);
  expect(address()).not.toMatch(/month=/);
  await expect.element(range('1 year')).toBeChecked();
  const { from = '', to = '' } = server.sentTo(EQUITY).at(-1)?.query ?? {};
  expect((Date.parse(to) - Date.parse(from)) / DAY_MS).toBeGreaterThan(360);
});

test('invoices and payments are marked along the equity, and in its table with links', async () => {
  const invoice = idOf(77);
  await show({
    [EQUITY]: {
      success: true,
      data: [9, 6, 5, 4, 2, 1].map((days) => ({ day: dayBefore(days), equity: `${1000 - 10 * days}` })),
      meta: {
        events: [
          // Later than the last reading, and on a day without one.
          { day: dayBefore(0), kind: 'invoice', count: 1, amount: '70', invoice_id: idOf(78) },
          { day: dayBefore(3), kind: 'payment', count: 2, amount: '99.5', invoice_id: null },
          { day: dayBefore(5), kind: 'invoice', count: 3, amount: '50', invoice_id: null },
          { day: dayBefore(6), kind: 'payment', count: 1, amount: '20.25', invoice_id: invoice },
          // Before the curve begins.
          { day: dayBefore(20), kind: 'invoice', count: 1, amount: '20.25', invoice_id: invoice },
        ],
      },
    },
  });
  const markers = equity.getByRole('toolbar', { name: 'Markers' }).getByRole('button');
  await expect.poll(() => markers.elements().length).toBe(4);
  expect(markers.elements().map(({ textContent }) => textContent?.replace(/^.*: /, ''))).toEqual([
    '1 payment',
    '3 invoices',
    '2 payments',
    '1 invoice',
  ]);
  await equity.getByText('Show as a table').click();
  const lines = equity
    .getByRole('row')
    .elements()
    .map((row) => [...row.children].slice(1).map(({ textContent }) => textContent));
  expect(lines).toEqual([
    ['Equity', 'Drawdown', 'Invoices and payments'],
    ['not recorded', '', '1 invoice 70.00 USDT'],
    ['$990.00', '+0.00%', ''],
    ['$980.00', '+0.00%', ''],
    ['not recorded', '', '2 payments 99.50 USDT'],
    ['$960.00', '+0.00%', ''],
    ['$950.00', '+0.00%', '3 invoices 50.00 USDT'],
    ['$940.00', '+0.00%', '1 payment 20.25 USDT'],
    ['$910.00', '+0.00%', ''],
    ['not recorded', '', '1 invoice 20.25 USDT'],
  ]);
  await expectAccessible();
  const link = equity.getByRole('link', { name: '1 payment' }).element();
  expect(link.getAttribute('href')).toBe(`/invoices/${invoice}`);
});

test('a link keeps order and range; a page beyond the end leads to the last', async () => {
  const { address, server } = await showTrader(
    {},
    { height: 2400, answers: ANSWERS },
    '?sort=closed_pnl&dir=asc&range=1y&page=900',
  );
  await expect.element(history.getByText('41–45 of 45')).toBeVisible();
  await expect.poll(address).toMatch(/page=3\b/);
  await expect.element(column('PnL')).toHaveAttribute('aria-sort', 'ascending');
  await expect.element(page.getByRole('radio', { name: '1 year' })).toBeChecked();
  expect(server.sentTo(CLOSED)[0]?.query).toMatchObject({ orderBy: 'closed_pnl', orderDir: 'asc' });
});

test('the audit is requested for super admins, and never for staff', async () => {
  const entry = {
    at: AT,
    actor_name: 'super@example.com',
    actor_kind: 'user' as const,
    action: 'trader.changed',
    before: { reference_number: 'KAIT-1' },
    after: { reference_number: 'KAIT-2' },
  };
  const answers: Answers = { [AUDIT]: { success: true, data: [entry], meta: { total: 1 } } };
  const audit = part('Audit History');
  const { unmount } = await show(answers);
  await expect.element(audit.getByText('reference number: KAIT-1 → KAIT-2')).toBeVisible();
  await unmount();
  queryClient.clear();
  const { server } = await showTrader({}, { user: STAFF, answers: { ...ANSWERS, ...answers } });
  await expect.element(part('Exchange Keys').getByRole('listitem').first()).toBeVisible();
  await expect.element(history.getByRole('row').first()).toBeVisible();
  expect(audit.elements()).toEqual([]);
  expect(server.sentTo(AUDIT)).toEqual([]);
});
