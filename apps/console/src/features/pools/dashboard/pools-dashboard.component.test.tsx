import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../../app/query-client.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { fakeTime, pass } from '../../../testing/faked-time.ts';
import { refuse } from '../../../testing/serve-calls.ts';
import {
  answersOfAll,
  dashboard,
  GLOBAL,
  PENDING,
  POOLS,
  region,
  showDashboard,
} from '../../../testing/show-pool.ts';
import { READS_UNDER_WAY, showScreen } from '../../../testing/show-screen.tsx';
import { somePool } from '../../../testing/some-pools.ts';

const { harvest, pool, pools, tile } = dashboard;
const ACT = 'POST /api/pooled-accounts/global/harvest';
const dialog = page.getByRole('dialog');
const button = (name: string) => dialog.getByRole('button', { name });
const expectTile = (label: string) => expect.poll(() => tile(label)?.textContent);
const FAILURE = refuse(503, 'unavailable', 'Not available');

test('the harvest control has the status and the sums of all pools', async () => {
  const failed = somePool(3, 'failed', { bybit_read: null, bybit_problem: 'ip_not_allowed' });
  failed.current_harvest_cycle.reason = 'Bybit did not credit the deposit in time.';
  const { unmount } = await showDashboard([
    somePool(0, 'stopped'),
    somePool(1, 'harvesting'),
    somePool(2, 'awaiting_bybit_withdrawal'),
    failed,
  ]);
  await expect.element(harvest).toHaveTextContent('Mixed States');
  await expect
    .element(harvest)
    .toHaveTextContent('1 harvesting, 1 trading, 1 manual withdrawal required, 1 failed');
  for (const [label, text] of [
    ['Active Pools', '4'],
    ['Total Traders', '54'],
    // 240,000.75 + three times 12.5.
    ['Total Proxy Balance', '$240,038'],
    ['Total Bybit Balance', '1 of 4 pools not read yet'],
    ['Pending BSC Deposits', '$1,002For 4 pools'],
  ] as const)
    await expectTile(label).toContain(text);
  expect(tile('Total Proxy Balance')?.querySelector('[title="240,038.25 USDT"]')).not.toBeNull();
  for (const [nth, texts] of [
    [0, ['Trading', 'Bybit read: $121,500 not read since Jan 22, 14:02']],
    [1, ['Harvesting']],
    [2, ['Manual Withdrawal RequiredAction required', 'The community owner must withdraw the funds']],
    [
      3,
      [
        'Bybit did not credit the deposit in time.',
        'not read yet',
        "Our address is not on the key's IP whitelist.",
      ],
    ],
  ] as const)
    for (const text of texts) await expect.element(pool(`Pool Community ${nth}`)).toHaveTextContent(text);
  await expect
    .element(pool('Pool Community 0').getByTitle('119,988.999999 USDT'))
    .toHaveTextContent(/^\$119,988$/);
  await expectAccessible();
  await unmount();

  for (const [status, badge, progress] of [
    ['starting_harvesting', 'Starting...', 'Processing...'],
    ['stopping_harvesting', 'Stopping...', 'Processing...'],
    ['awaiting_bybit_withdrawal', 'Manual Withdrawal Required', 'Awaiting action...'],
    ['processing_invoices', 'Processing Invoices', 'Awaiting action...'],
  ] as const) {
    queryClient.clear();
    const screen = await showDashboard([somePool(0, status), somePool(1, status)]);
    await expect.element(harvest).toHaveTextContent(badge);
    await expect.element(harvest.getByText(progress)).toBeVisible();
    expect(harvest.getByRole('button').elements()).toEqual([]);
    await expectTile('Total Bybit Balance').toMatch(/Read: \$364,500not read since Jan 22, 14:02/);
    await screen.unmount();
  }
});

test('pending deposits are read again on demand, and not at all without the pools', async () => {
  fakeTime();
  const moving = [somePool(0, 'starting_harvesting')];
  const { server } = await showDashboard(moving, { [PENDING]: FAILURE, [GLOBAL]: FAILURE });
  // Three retries, after 1, 2 and 4 seconds.
  for (const [nth, waitMs] of [1_000, 2_000, 4_000].entries()) {
    await expect.poll(() => server.sentTo(PENDING).length).toBe(nth + 1);
    await pass(waitMs);
  }
  await expect.poll(() => server.sentTo(PENDING).length).toBe(4);
  await expect.element(harvest.getByRole('alert').first()).toHaveTextContent('Not available');
  await expectTile('Pending BSC Deposits').toContain('ErrorFailed to LoadClick to retry');
  server.answer(answersOfAll(moving));
  const again = page.getByRole('button', { name: 'Click to retry' });
  await Promise.all([harvest.getByRole('button', { name: 'Retry', exact: true }).click(), again.click()]);
  await expectTile('Pending BSC Deposits').toContain('$250');
  await expect.element(harvest).toHaveTextContent('Starting...');

  server.answer({ [POOLS]: FAILURE });
  // The poll of pools on the move, and its retries.
  for (const waitMs of [16_000, 1_000, 2_000, 4_000]) await pass(waitMs);
  await expect
    .poll(() => tile('Pending BSC Deposits')?.textContent, { timeout: 30_000 })
    .toContain('N/APooled accounts not available');
  expect(pools.getByRole('row').elements()).toHaveLength(2);
});

test('a global start that is refused names every pool in its way, and nothing is announced', async () => {
  const stopped = [somePool(0, 'stopped'), somePool(1, 'stopped')];
  const inTheWay = `${stopped[1]?.community.name}: 2 positions, 0 orders`;
  const { server } = await showDashboard(stopped);
  const start = harvest.getByRole('button', { name: 'Start Global Harvest' });
  await start.click();
  expect(
    harvest.getByRole('button', { name: 'Stop Global Harvest', includeHidden: true }).elements(),
  ).toEqual([]);
  await expect.element(dialog).toHaveTextContent('Notify owners to withdraw manually');
  server.answer({
    [ACT]: {
      ...refuse(
        409,
        'open_positions_exist',
        'Positions or orders are still open on the exchange. Close them first.',
      ),
      details: [{ path: stopped[1]?.id ?? '', message: inTheWay }],
    },
  });
  await button('Start Global Harvest').click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Close them first. Nothing has changed.');
  await expect
    .element(dialog.getByRole('list', { name: 'Pools that stand in the way' }))
    .toHaveTextContent(inTheWay);
  expect(page.getByText('Global harvest starting').elements()).toEqual([]);
  await expectAccessible();
});

test('an accepted start says that it begins, and a run says what failed and what is retried', async () => {
  const failed = somePool(0, 'failed');
  const run = {
    ...{ id: failed.id, action: 'start' as const, goal: 'start' as const, requested_by: 'ada@example.com' },
    ...{ at: '2026-01-22T14:02:05.000Z', state: 'done_with_failures' as const, pools: 1 },
    counts: { moving: 0, awaiting: 0, done: 0, failed: 1 },
    failed: [{ pool_id: failed.id, community: failed.community.name, reason: 'deadline_passed' as const }],
  };
  const { server } = await showDashboard([failed, somePool(1, 'stopped')], {
    ...answersOfAll([failed, somePool(1, 'stopped')], { actions: ['start'], last_run: run }),
    [ACT]: { success: true, data: { ...run, state: 'running', failed: [] } },
  });
  await expect.element(harvest).toHaveTextContent('Global start by ada@example.com');
  await expect.element(harvest).toHaveTextContent(`${failed.community.name}: The deadline passed.`);
  await expectAccessible();
  await harvest.getByRole('button', { name: 'Retry failed pools' }).click();
  await expect.element(dialog).toHaveTextContent(failed.community.name);
  await button('Back').click();
  await harvest.getByRole('button', { name: 'Start Global Harvest' }).click();
  await button('Start Global Harvest').click();
  await expect.element(page.getByText('Global harvest starting').first()).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(ACT)).toMatchObject([{ body: { action: 'start' }, key: expect.any(String) }]);
});

test('a pool opens from the dashboard with its cycle, books, members and transactions', async () => {
  const one = somePool(2, 'awaiting_bybit_withdrawal');
  const { address, server } = await showDashboard([one]);
  await pool(one.community.name).getByRole('cell').last().click();
  await expect.poll(address).toBe(`/pools/${one.id}`);
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent(`Pool of ${one.community.name}`);
  for (const [name, texts] of [
    [
      'Harvest Cycle',
      [
        'The community owner must withdraw the funds from Bybit.',
        'Withdrawing from Bybit',
        'Jan 20, 09:30',
        'Waits for the owner to withdraw',
        'Abort: Funds have already returned.',
      ],
    ],
    ['Books', ['-$1,501']],
    ['Requests', ['No requests']],
  ] as const)
    for (const text of texts) await expect.element(region(name)).toHaveTextContent(text);
  await expect.element(region('Harvest Cycle').getByRole('button', { name: 'Abort' })).toBeDisabled();
  await expect
    .element(region('Books').getByTitle('359,964.999999 USDT'))
    .toHaveTextContent(/^359,964\.999999$/);
  const headers = region('Members').getByRole('columnheader').elements();
  expect(headers.map(({ textContent }) => textContent)).toEqual([
    'Trader',
    'Virtual Balance',
    'Share',
    'Pending',
    'Loss Carried',
    'Deposit Address',
    'Joined',
    'Act',
  ]);
  await expect.element(region('Members').getByRole('row').nth(1)).toHaveTextContent('KAIT-1000$20,00016.50%');
  await expect
    .element(region('Transactions').getByRole('row').nth(2))
    .toHaveTextContent('WithdrawalKAIT-1001PendingEverything');
  await expect.element(page.getByRole('list', { name: 'Earlier cycles' })).toHaveTextContent('Cycle 1');
  await expectAccessible();
  const main = document.querySelector('main') as HTMLElement;
  expect(main.scrollWidth).toBeLessThanOrEqual(innerWidth);
  await region('Members').getByRole('button', { name: 'Show pending only' }).click();
  await expect
    .poll(() => server.sentTo('GET /api/pooled-accounts/{id}/traders').at(-1)?.query)
    .toMatchObject({ showPendingOnly: 'true' });
  await expect.poll(address).toMatch(/pending=only/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(address).toBe('/super-admin');
});

test('the pools have their search, filter and view in their address', async () => {
  const some = [somePool(0, 'stopped'), somePool(1, 'awaiting_bybit_withdrawal')];
  const { address } = await showScreen('/pools', {
    answers: {
      ...READS_UNDER_WAY,
      ...answersOfAll(some),
      'GET /api/saved-views': { success: true, data: [] },
    },
  });
  const rows = page.getByRole('table', { name: 'Pooled Trading Accounts' }).getByRole('row');
  await expect.poll(() => rows.elements().length).toBe(3);
  await page.getByRole('button', { name: 'Action required' }).click();
  await expect.poll(() => rows.elements().length).toBe(2);
  expect(address()).toBe('/pools?action=true');
  await expect.element(rows.nth(1)).toHaveTextContent(some[1]?.community.name ?? 'none');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Show Traders' }).click();
  await expect
    .poll(() =>
      page
        .getByRole('columnheader')
        .elements()
        .map((cell) => cell.textContent),
    )
    .toEqual(['Community', 'Harvest Status', 'Balances']);
});
