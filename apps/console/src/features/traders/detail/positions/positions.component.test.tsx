import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { refuse } from '../../../../testing/serve-calls.ts';
import {
  BYBIT,
  KUCOIN,
  POSITIONS,
  positionOf,
  positions as read,
  showTrader,
  trader,
} from '../../../../testing/show-trader.ts';

const { positions, keys } = trader;
const rows = positions.getByRole('row');
const textsOf = (locator: ReturnType<typeof rows.nth>) => locator.elements().map((cell) => cell.textContent);

test('figures are those of the formulas, and the groups open and close', async () => {
  await showTrader(
    {},
    {
      answers: {
        [POSITIONS]: read([
          positionOf(BYBIT),
          positionOf(BYBIT, {
            symbol: 'ETHUSDT',
            side: 'short',
            entryPrice: '3000',
            markPrice: '3030',
            leverage: '5',
            contracts: '2',
            unrealizedPnl: '-60',
          }),
          positionOf(BYBIT, { symbol: 'OPUSDT', markPrice: null, leverage: null, unrealizedPnl: null }),
        ]),
      },
    },
  );
  await expect.element(rows.nth(3)).toBeVisible();
  const table = positions.getByRole('table').element();
  expect([...table.querySelectorAll('th')].map((cell) => cell.textContent)).toEqual([
    'Symbol',
    'Side',
    'Entry Price',
    'Mark Price',
    'Leverage',
    'Size',
    '% Change',
    'Est. Liq Price',
    'PnL',
  ]);
  const cells = (row: number) => textsOf(rows.nth(row).getByRole('cell'));
  expect(cells(1)).toEqual([
    'BTCUSDT',
    'Long',
    '60,000.0000',
    '61,500.0000',
    '10x',
    '0.5',
    '+2.50%',
    '55,200.0000',
    '+$750.00',
  ]);
  expect(cells(2)).toEqual([
    'ETHUSDT',
    'Short',
    '3,000.0000',
    '3,030.0000',
    '5x',
    '2',
    '-1.00%',
    '3,480.0000',
    '-$60.00',
  ]);
  expect(cells(3)).toEqual(['OPUSDT', 'Long', '60,000.0000', 'N/A', 'N/A', '0.5', 'N/A', 'N/A', 'N/A']);

  const toggle = positions.getByRole('button', { name: BYBIT.provider_name });
  await expect.element(toggle).toHaveTextContent('BYBIT');
  await expect.element(toggle).toHaveTextContent('3 positions');
  await expect.element(toggle).toHaveTextContent('+$690.00');
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'true');
  (toggle.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'false');
  expect(positions.getByRole('table').elements()).toHaveLength(0);
  await userEvent.keyboard('{Enter}');
  await expect.element(positions.getByRole('table')).toBeVisible();
});

test('a failing exchange shows an error on its own group, with the last known data', async () => {
  const last = positionOf(BYBIT, { symbol: 'LTCUSDT', read_at: '2026-01-01T10:00:00.000Z' });
  const healthy = read([positionOf(KUCOIN, { symbol: 'XRPUSDT' })]);
  const { server } = await showTrader(
    { exchanges: [BYBIT, KUCOIN], active_positions: [last] },
    { answers: { [POSITIONS]: ({ params }) => (params.exchange === 'bybit' ? read('failed') : healthy) } },
  );
  const failed = page
    .getByRole('list', { name: 'Active positions by account' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('alert') });
  await expect
    .element(failed.getByRole('alert'))
    .toHaveTextContent(
      /^Error loading positions. The exchange did not answer in time. These are the last known ones, of Jan 1, .*\.$/,
    );
  await expect.element(failed).toHaveTextContent('BYBIT');
  await expect.element(failed.getByRole('cell', { name: 'LTCUSDT' })).toBeVisible();
  const xrp = positions.getByRole('cell', { name: 'XRPUSDT' });
  expect(xrp.elements()).toHaveLength(1);

  server.answer({
    [POSITIONS]: ({ params }) =>
      params.exchange === 'bybit' ? read([positionOf(BYBIT, { symbol: 'XRPUSDT' })]) : healthy,
  });
  await positions.getByRole('button', { name: 'Refresh positions' }).click();
  await expect.element(positions.getByRole('alert')).not.toBeInTheDocument();
  await expect.poll(() => xrp.elements()).toHaveLength(2);
  expect(server.sentTo(POSITIONS).map(({ query }) => query.acc_uid)).toEqual([
    BYBIT.acc_uid,
    KUCOIN.acc_uid,
    BYBIT.acc_uid,
    KUCOIN.acc_uid,
  ]);
});

test('says that it is loading, and that nothing could be loaded', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { server } = await showTrader(
    {},
    {
      answers: {
        [POSITIONS]: async () => {
          await held;
          return read('failed');
        },
      },
    },
  );
  await expect.element(positions.getByRole('status')).toHaveTextContent(/^Loading active positions...$/);
  release();
  await expect.element(positions.getByRole('heading', { name: 'Error loading positions' })).toBeVisible();
  await expect.element(positions.getByText('Please try refreshing the data')).toBeVisible();
  server.answer({ [POSITIONS]: read([]) });
  await positions.getByRole('button', { name: 'Retry' }).click();
  await expect.element(positions.getByText('No active positions')).toBeVisible();
});

test('when our own server fails the account shows it, and the rest of the screen remains', async () => {
  await showTrader({}, { answers: { [POSITIONS]: refuse(404, 'not_found', 'Not found') } });
  await expect.element(positions.getByRole('alert')).toHaveTextContent('Error loading positions');
  await expect.element(keys.getByText('API Key', { exact: true })).toBeVisible();
});

test('at phone width positions are cards, and nothing scrolls sideways', async () => {
  await showTrader({}, { width: 390, height: 844, answers: { [POSITIONS]: read([positionOf(BYBIT)]) } });
  const cards = positions.getByRole('list', { name: /^Active positions of/ }).getByRole('listitem');
  await expect.element(cards).toHaveTextContent('BTCUSDT');
  await expect.element(cards).toHaveTextContent('Est. Liq Price55,200.0000');
  expect(cards.elements()).toHaveLength(1);
  expect(positions.getByRole('table').elements()).toHaveLength(0);
  const main = document.querySelector('main') as HTMLElement;
  expect(main.scrollWidth - main.clientWidth).toBe(0);
  await expectAccessible();
});
