import { expectAccessible } from '../support/accessibility.ts';
import { withoutNews } from '../support/news.ts';
import { answerPool, answerPools, somePool } from '../support/pools.ts';
import { superAdminScreen } from '../support/super-admin.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test.describe.configure({ timeout: 120_000 });

const FAILURE = { status: 503, json: { success: false, error: 'unavailable', message: 'Not available' } };

test('the harvest control has the status and the sums of all pools', async ({ page }) => {
  const { harvest, tile, pool } = superAdminScreen(page);
  await withoutNews(page);
  const failed = somePool(3, 'failed', { bybit_read: null, bybit_problem: 'ip_not_allowed' });
  failed.current_harvest_cycle.reason = 'Bybit did not credit the deposit in time.';
  await answerPools(page, [
    somePool(0, 'stopped'),
    somePool(1, 'harvesting'),
    somePool(2, 'awaiting_bybit_withdrawal'),
    failed,
  ]);
  await page.goto('/super-admin');
  await expect(harvest).toContainText('Mixed States');
  await expect(harvest).toContainText('1 harvesting, 1 trading, 1 manual withdrawal required, 1 failed');
  await expect(tile('Active Pools')).toContainText('4');
  await expect(tile('Total Traders')).toContainText('54');
  // 240,000.75 + three times 12.5.
  await expect(tile('Total Proxy Balance')).toContainText('$240,038');
  await expect(tile('Total Proxy Balance').getByTitle('240,038.25 USDT')).toBeVisible();
  await expect(tile('Total Bybit Balance')).toContainText('1 of 4 pools not read yet');
  await expect(tile('Pending BSC Deposits')).toContainText('$1,002For 4 pools');

  await expect(pool('Pool Community 0')).toContainText('Trading');
  await expect(pool('Pool Community 0').getByTitle('119,988.999999 USDT')).toHaveText('$119,988');
  await expect(pool('Pool Community 0')).toContainText('Bybit read: $121,500 as of Jan 22, 14:02 UTC');
  await expect(pool('Pool Community 1')).toContainText('Harvesting');
  await expect(pool('Pool Community 2')).toContainText('Manual Withdrawal RequiredAction required');
  await expect(pool('Pool Community 2')).toContainText('The community owner must withdraw the funds');
  await expect(pool('Pool Community 3')).toContainText('Bybit did not credit the deposit in time.');
  await expect(pool('Pool Community 3')).toContainText('not read yet');
  await expect(pool('Pool Community 3')).toContainText("Our address is not on the key's IP whitelist.");
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  for (const [status, badge, progress] of [
    ['starting_harvesting', 'Starting...', 'Processing...'],
    ['stopping_harvesting', 'Stopping...', 'Processing...'],
    ['awaiting_bybit_withdrawal', 'Manual Withdrawal Required', 'Awaiting action...'],
    ['processing_invoices', 'Processing Invoices', 'Awaiting action...'],
  ] as const) {
    await answerPools(page, [somePool(0, status), somePool(1, status)]);
    await page.reload();
    await expect(harvest).toContainText(badge);
    await expect(harvest.getByText(progress)).toBeVisible();
    await expect(harvest.getByRole('button')).toHaveCount(0);
  }
  await expect(tile('Total Bybit Balance')).toContainText(/Read: \$364,500as of Jan 22, 14:02 UTC/);
});

test.describe('when a part fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('pending deposits are read again on demand, and not at all without the pools', async ({ page }) => {
    const { tile, harvest, pools } = superAdminScreen(page);
    await page.clock.install();
    await withoutNews(page);
    await answerPools(page, [somePool(0, 'starting_harvesting')]);
    let asked = 0;
    await page.route('**/api/admin/bsc-pending-deposits', (route) => {
      asked += 1;
      return route.fulfill(FAILURE);
    });
    await page.route('**/api/pooled-accounts/global/harvest/status', (route) => route.fulfill(FAILURE));
    await page.goto('/super-admin');
    await expect(harvest.getByRole('alert').first()).toContainText('Not available');
    // Three retries, after 1, 2 and 4 seconds.
    for (const [nth, waitMs] of [1_100, 2_100, 4_100].entries()) {
      await page.clock.runFor(waitMs);
      // Before the next poll, which would ask as well. A slow machine may have come to it by the time that passed anyway.
      await expect.poll(() => asked, { timeout: 5_000 }).toBeGreaterThanOrEqual(nth + 2);
    }
    await expect(tile('Pending BSC Deposits')).toContainText('ErrorFailed to LoadClick to retry');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await answerPools(page, [somePool(0, 'starting_harvesting')]);
    const deposits = tile('Pending BSC Deposits').getByRole('button', { name: 'Click to retry' });
    // Both at once: the next poll would take the second button away.
    await Promise.all([
      harvest.getByRole('button', { name: 'Retry', exact: true }).click(),
      deposits.click(),
    ]);
    await expect(tile('Pending BSC Deposits')).toContainText('$250');
    await expect(harvest).toContainText('Starting...');

    await page.route('**/api/pooled-accounts', (route) => route.fulfill(FAILURE));
    // The poll of pools on the move.
    await page.clock.runFor(16_000);
    await expect(tile('Pending BSC Deposits')).toContainText('N/APooled accounts not available');
    await expect(pools.getByRole('row')).toHaveCount(2);
  });

  test('a pool that does not exist is not found', async ({ page }) => {
    for (const id of ['00000000-0000-4000-8000-00000000dead', 'nothing']) {
      await page.goto(`/pools/${id}`);
      await expect(page.getByRole('heading', { name: 'Pool Not Found' })).toBeVisible();
    }
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL('/super-admin');
  });
});

test('a pool opens from the dashboard with its cycle, books, members and transactions', async ({ page }) => {
  const one = somePool(2, 'awaiting_bybit_withdrawal');
  const { pool } = superAdminScreen(page);
  const part = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  await page.goto('/super-admin');
  await pool(one.community.name).getByRole('cell').last().click();
  await expect(page).toHaveURL(`/pools/${one.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Pool of ${one.community.name}`);
  await expect(part('Harvest Cycle')).toContainText(
    'The community owner must withdraw the funds from Bybit.',
  );
  await expect(part('Harvest Cycle')).toContainText('Withdrawing from Bybit');
  await expect(part('Harvest Cycle')).toContainText('Jan 20, 09:30 UTC');
  await expect(part('Books').getByTitle('359,964.999999 USDT')).toHaveText('$359,964');
  await expect(part('Books')).toContainText('-$1,501');
  await expect(part('Members').getByRole('columnheader')).toHaveText([
    'Trader',
    'Virtual Balance',
    'Share',
    'Pending',
    'Loss Carried',
    'Deposit Address',
    'Joined',
    'Act',
  ]);
  await expect(part('Harvest Cycle')).toContainText('Waits for the owner to withdraw');
  await expect(part('Harvest Cycle')).toContainText('Abort: Funds have already returned.');
  await expect(part('Harvest Cycle').getByRole('button', { name: 'Abort' })).toBeDisabled();
  await expect(part('Requests')).toContainText('No requests');
  await expect(part('Members').getByRole('row').nth(1)).toContainText('KAIT-1000$20,00016.50%');
  await expect(part('Transactions').getByRole('row').nth(2)).toContainText(
    'WithdrawalKAIT-1001PendingEverything',
  );
  await expect(page.getByRole('list', { name: 'Earlier cycles' })).toContainText('Cycle 1');
  await expectAccessible(page);
  expect(await page.evaluate('document.querySelector("main").scrollWidth <= innerWidth')).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  const asked = page.waitForRequest(/showPendingOnly=true/);
  await part('Members').getByRole('button', { name: 'Show pending only' }).click();
  await asked;
  await expect(page).toHaveURL(/pending=only/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/super-admin');
});

test.describe('staff', () => {
  test.use({ persona: 'staff' });

  test('see a pool with their own members, without its books', async ({ page }) => {
    const one = somePool(0, 'stopped', { proxy_balance: null, bybit_balance: null, bybit_read: null });
    await withoutNews(page);
    await answerPool(page, one, { isSuper: false });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/pools/${one.id}`);
    const members = page.getByRole('region', { name: 'Members' });
    await expect(members.getByRole('row')).toHaveCount(9);
    await expect(members.getByRole('columnheader', { name: 'Share' })).toHaveCount(0);
    await expect(page.getByText('Figures are your part: traders of your providers.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Books' })).toHaveCount(0);
    expect(asked.filter((path) => /\/(stats|progress)$/.test(path))).toEqual([]);
    await expectAccessible(page);
  });

  test('find their pools beside the communities, with their own figures only', async ({ page, api }) => {
    const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
    const [first] = pools;
    if (!first) throw new Error('no pool');
    await page.goto('/communities');
    await page.getByRole('link', { name: pools.length === 1 ? '1 pool' : `${pools.length} pools` }).click();
    const list = page.getByRole('region', { name: 'Pooled Trading Accounts' });
    await expect(list).toContainText(first.community.name);
    await expect(list.getByTitle(/ USDT$/)).toHaveCount(pools.length);
    await expect(list).not.toContainText('Proxy');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await list.getByRole('button', { name: 'Search pools by community' }).click();
    await page.keyboard.type('no such name');
    await expect(list).toContainText('No pooled accounts match');
    await page.getByRole('searchbox').fill(first.community.name.toUpperCase());
    await expect(list.getByRole('link')).toHaveText([first.community.name]);
    await expectAccessible(page);
    await list.getByRole('link', { name: first.community.name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(first.community.name);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL('/pools');
  });
});

test('a pool of the demo world shows the figures of the API', async ({ page, api }) => {
  const [one] = (await api.call('GET /api/pooled-accounts')).pooled_accounts;
  if (!one) throw new Error('no pool');
  const query = { limit: '1' } as const;
  const { data, meta } = await api.call('GET /api/pooled-accounts/{id}/traders', {
    params: { id: one.id },
    query,
  });
  await page.goto(`/pools/${one.id}`);
  const members = page.getByRole('region', { name: 'Members' });
  await expect(members.getByRole('heading')).toContainText(String(meta.total));
  await expect(members.getByRole('row').nth(1)).toContainText(
    data[0]?.trader.reference_number ?? data[0]?.trader.telegram_username ?? 'No reference number',
  );
});
