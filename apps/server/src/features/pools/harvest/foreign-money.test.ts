import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { longTest } from '../../../../../../tests/support/long-test.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { units, usdt } from '../../../../../../tests/support/world/usdt.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Of a withdrawal at the simulated exchange. */
const FEE = units('0.3');

let world: PoolWorld;
let lastAccount = 0;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 20 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;

const nextAccount = () => {
  lastAccount += 1;
  return lastAccount;
};
const addTrading = (...amounts: number[]): Promise<Pool> =>
  world.addTradingPool({ account: nextAccount(), amounts });
const cycleOf = async ({ poolId }: Pool) => (await world.pool(poolId)).current_harvest_cycle;
const progressOf = async ({ poolId }: Pool) =>
  (await world.ask('GET /api/pooled-accounts/{id}/harvest/progress', { params: { id: poolId } })).body.data;
const withdraw = ({ uid, proxy }: Pool) => world.venue.pools.withdraw(uid, proxy, 'all');

async function rounds(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await world.round();
}

async function start(pool: Pool): Promise<void> {
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
}

/** Starts a harvest, and the owner withdraws everything: the result is being decided. */
async function value(pool: Pool) {
  await start(pool);
  withdraw(pool);
  await world.until(pool.poolId, 'processing_invoices');
  await rounds(2);
  return progressOf(pool);
}

/** The other super admin approves the valuation of the last read. */
async function approve(pool: Pool) {
  const { evidence } = await progressOf(pool);
  return world.act(pool.poolId, { action: 'approve', evidence_id: evidence?.id }, world.other);
}

async function partsOf(pool: Pool, cycleNumber: number) {
  const [cycle] = await world.cyclesOf(pool.poolId, cycleNumber);
  return { result: BigInt(cycle?.result ?? -1n), parts: await world.allocationsOf(cycle?.id as string) };
}

async function stop(pool: Pool): Promise<void> {
  await world.untilQuiet(pool.poolId);
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
}

test('a loan is no profit, whoever approves: it is set aside, costs no fee, and two people send it back', async () => {
  const pool = await addTrading(20_000, 30_000);
  world.venue.pools.book(pool.uid, 'LOANS_BORROW_FUNDS', units('7825.89'));
  const { valuation, waits_because } = await value(pool);
  expect(waits_because).toBe('approval_required');
  expect(valuation).toMatchObject({
    result: '-0.3',
    reasons: ['foreign_money'],
    foreign: [{ type: 'LOANS_BORROW_FUNDS', amount: '7825.89' }],
    set_aside: '7825.89',
    missing: '0',
  });
  expect((await approve(pool)).status).toBe(200);
  await world.until(pool.poolId, 'harvesting');
  const { result, parts } = await partsOf(pool, 2);
  expect(result).toBe(-FEE);
  expect(parts.map(({ fee }) => fee)).toEqual([0n, 0n]);
  expect(await world.booksOf(pool.poolId)).toEqual({
    pool_proxy: usdt(50_000) - FEE + units('7825.89'),
    pool_unexplained: units('7825.89'),
  });

  // It is an arrival like any other with an unknown owner, although the exchange lists the withdrawal.
  await rounds(3);
  const { body } = await world.ask('GET /api/pooled-accounts/{id}/arrivals', {
    params: { id: pool.poolId },
    query: {},
  });
  expect(body.data).toMatchObject([{ state: 'unexplained', unexplained: '7825.89' }]);
  const place = { id: pool.poolId, arrivalId: body.data[0]?.id as string };
  const lender = `0x${'1e'.repeat(20)}`;
  const proposed = await world.ask('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
    params: place,
    body: { kind: 'sent_back', amount: '7825.89', to_address: lender, evidence: 'the loan is repaid' },
  });
  const confirmed = await world.askAnything(
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm',
    { params: { ...place, decisionId: proposed.body.data.id } },
    {},
    world.other,
  );
  expect(confirmed.status).toBe(200);
  await world.untilQuiet(pool.poolId);
  expect(await world.chain.token.balanceOf(lender as `0x${string}`)).toBe(units('7825.89'));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(50_000) - FEE });
  expect(await world.differing()).toBe(0);
});

longTest('a loan that is never withdrawn has to be repaid before the account is empty', async () => {
  const pool = await addTrading(1_000);
  world.venue.pools.book(pool.uid, 'LOANS_BORROW_FUNDS', usdt(500));
  await start(pool);
  world.venue.pools.withdraw(pool.uid, pool.proxy, usdt(1_000) - FEE);
  await rounds(3);
  expect(await cycleOf(pool)).toMatchObject({ status: 'awaiting_bybit_withdrawal', reason: 'above_dust' });
  world.venue.pools.book(pool.uid, 'LOANS_REPAY_FUNDS', -usdt(500));
  await world.until(pool.poolId, 'processing_invoices');
  await rounds(2);
  expect((await progressOf(pool)).valuation).toMatchObject({
    result: '-0.3',
    reasons: ['foreign_money'],
    foreign: [
      { type: 'LOANS_BORROW_FUNDS', amount: '500' },
      { type: 'LOANS_REPAY_FUNDS', amount: '-500' },
    ],
    set_aside: '0',
  });
  expect((await approve(pool)).status).toBe(200);
  await world.until(pool.poolId, 'harvesting');
  expect((await world.booksOf(pool.poolId)).pool_proxy).toBe(usdt(1_000) - FEE);
});

longTest(
  'a transfer of a lender is foreign money as well, though its type begins like that of a move',
  async () => {
    const pool = await addTrading(1_000);
    world.venue.pools.book(pool.uid, 'TRANSFER_IN_INS_LOAN', usdt(100));
    expect((await value(pool)).valuation).toMatchObject({
      result: '-0.3',
      reasons: ['foreign_money'],
      set_aside: '100',
    });
  },
);

longTest('what was moved to an earn product is no loss: nobody can book one before it is back', async () => {
  const pool = await addTrading(600, 400);
  world.venue.pools.book(pool.uid, 'FLEXIBLE_STAKING_SUBSCRIPTION', -usdt(100));
  expect(await value(pool)).toMatchObject({
    waits_because: 'money_missing',
    valuation: {
      result: '-0.3',
      foreign: [{ type: 'FLEXIBLE_STAKING_SUBSCRIPTION', amount: '-100' }],
      missing: '100',
    },
    actions: [{ action: 'approve', refusal: 'own_approval' }],
  });
  expect((await approve(pool)).status).toBe(409);
  // It waits as long as the owner needs, not until a deadline.
  world.venue.advance(30 * 3_600_000);
  await rounds(2);
  expect((await cycleOf(pool)).status).toBe('processing_invoices');

  // Back at the exchange is not back: it would be left there and lost to whoever leaves.
  world.venue.pools.book(pool.uid, 'FLEXIBLE_STAKING_REDEMPTION', usdt(100));
  await rounds(2);
  expect(await cycleOf(pool)).toMatchObject({ status: 'processing_invoices', reason: 'above_dust' });
  expect((await approve(pool)).status).toBe(409);
  withdraw(pool);
  await rounds(3);
  expect(await progressOf(pool)).toMatchObject({
    waits_because: 'approval_required',
    valuation: { result: '-0.6', reasons: ['foreign_money'], missing: '0', set_aside: '0' },
  });
  expect((await approve(pool)).status).toBe(200);
  await world.until(pool.poolId, 'harvesting');
  const { result, parts } = await partsOf(pool, 2);
  expect(result).toBe(-2n * FEE);
  const left = [usdt(600) - (2n * FEE * 6n) / 10n, usdt(400) - (2n * FEE * 4n) / 10n];
  expect(new Set(parts.map(({ after }) => after))).toEqual(new Set(left));
  expect(await world.differing()).toBe(0);
});

longTest('what left and came while the pool was open is seen by the next cycle', async () => {
  const pool = await addTrading(1_000);
  await value(pool);
  await world.until(pool.poolId, 'harvesting');
  await stop(pool);
  await world.until(pool.poolId, 'stopping_harvesting/crediting');
  world.venue.pools.book(pool.uid, 'AIRDROP', usdt(50));
  await world.until(pool.poolId, 'stopped');
  expect((await value(pool)).valuation).toMatchObject({
    result: '-0.3',
    reasons: ['foreign_money'],
    foreign: [{ type: 'AIRDROP', amount: '50' }],
    set_aside: '50',
  });
});

longTest('a stranger’s deposit straight to the exchange waits for approval', async () => {
  const pool = await addTrading(1_000);
  const { depositAddress } = world.venue.pools.get(pool.uid);
  await world.chain.pay(depositAddress, usdt(500));
  await world.chain.mine(5);
  await world.venue.pools.look();
  await world.venue.pools.look();
  expect((await value(pool)).valuation?.reasons).toEqual(['large_result', 'cross_check_off']);
});

longTest(
  'deposits that Bybit credits to the trading wallet are seen there, and trading resumes',
  async () => {
    const pool = await addTrading(1_000);
    await value(pool);
    await world.until(pool.poolId, 'harvesting');
    world.change(pool.uid, (account) => {
      account.depositsTo = 'unified';
    });
    await stop(pool);
    await world.until(pool.poolId, 'stopped');
    const { funding, unified, transfers } = world.venue.pools.get(pool.uid);
    expect({ funding, unified }).toEqual({ funding: 0n, unified: usdt(1_000) - FEE });
    // Only the move of the first stop.
    expect(transfers).toHaveLength(1);
    expect(world.venue.pools.get(pool.uid).trading).not.toBe(null);
    expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) - FEE });
  },
);

longTest('money that is in neither wallet is not taken for moved', async () => {
  const pool = await addTrading(1_000);
  await value(pool);
  await world.until(pool.poolId, 'harvesting');
  await stop(pool);
  await world.until(pool.poolId, 'stopping_harvesting/crediting');
  await world.venue.pools.look();
  world.change(pool.uid, (account) => {
    account.funding -= usdt(10);
  });
  await rounds(6);
  expect(await cycleOf(pool)).toMatchObject({ step: 'moving', reason: 'move_insufficient_balance' });
  world.change(pool.uid, (account) => {
    account.funding += usdt(10);
  });
  await world.until(pool.poolId, 'stopped');
});

longTest(
  'a move that Bybit lists as failed is followed by another one, with an id that was stored first',
  async () => {
    const pool = await addTrading(1_000);
    await value(pool);
    await world.until(pool.poolId, 'harvesting');
    world.venue.faults.set({ kind: 'transfer_failed', account: pool.uid, times: 2 });
    await stop(pool);
    await world.until(pool.poolId, 'stopped');
    const moves = world.venue.pools.get(pool.uid).transfers.slice(1);
    expect(moves.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'SUCCESS']);
    const [stored] = await world.owner<{ ids: string[] }>(
      `SELECT f.failed_move_ids::text[] || f.move_id::text AS ids FROM harvest_funding f
     JOIN harvest_cycle h ON h.id = f.cycle_id WHERE h.pooled_account_id = $1 AND h.cycle_number = 2`,
      [pool.poolId],
    );
    expect(stored?.ids).toEqual(moves.map(({ transferId }) => transferId));
    expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) - FEE });
  },
);

longTest('a move that may still succeed keeps its id, whatever its first answer was', async () => {
  const pool = await addTrading(1_000);
  await value(pool);
  await world.until(pool.poolId, 'harvesting');
  world.venue.faults.set({ kind: 'transfer_failed', account: pool.uid, times: 1 });
  await stop(pool);
  await world.until(pool.poolId, 'stopping_harvesting/moving');
  // The exchange changes its mind before it is asked again: the answer to the move said "failed".
  const asked: string[] = [];
  const venue = {
    ...world.venue.reads,
    findTransfer: async (...args: Parameters<typeof world.venue.reads.findTransfer>) => {
      const found = await world.venue.reads.findTransfer(...args);
      asked.push(args[1]);
      return found && { ...found, state: 'under_way' as const, status: 'PENDING' };
    },
  };
  for (let nth = 0; nth < 3; nth += 1) await world.round({ venue });
  expect(await cycleOf(pool)).toMatchObject({ step: 'moving', reason: 'move_under_way' });
  expect(new Set(asked).size).toBe(1);
  expect(world.venue.pools.get(pool.uid).transfers).toHaveLength(2);
  // A failed cycle that is repeated goes on the same way.
  world.venue.advance(4 * 3_600_000);
  await world.until(pool.poolId, 'failed', { venue });
  expect((await world.act(pool.poolId, { action: 'retry' })).status).toBe(200);
  await world.until(pool.poolId, 'stopped');
  expect(world.venue.pools.get(pool.uid).transfers.map(({ status }) => status)).toEqual([
    'SUCCESS',
    'FAILED',
    'SUCCESS',
  ]);
});

longTest.each([
  [
    'a debt beside another coin',
    [
      { coin: 'USDC', amount: '-3000' },
      { coin: 'ETH', amount: '3000.5' },
    ],
    ['money_owed', 'other_coins'],
  ],
  ['a debt alone', [{ coin: 'USDC', amount: '-3000' }], ['money_owed']],
])('%s is a reason to wait', async (_what, coins, reasons) => {
  const pool = await addTrading(1_000);
  world.change(pool.uid, (account) => {
    account.otherCoins = coins.map(({ coin, amount }) => ({ coin, wallet: 'unified', amount, usd: amount }));
  });
  expect(await value(pool)).toMatchObject({ waits_because: 'approval_required', valuation: { reasons } });
});

longTest('an account that owes USDT is not empty: whoever stays does not pay it', async () => {
  const pool = await addTrading(1_000);
  world.earn(pool.uid, -usdt(1_500));
  await start(pool);
  await rounds(3);
  expect(await cycleOf(pool)).toMatchObject({ status: 'awaiting_bybit_withdrawal', reason: 'usdt_owed' });
  // The debt of one wallet is not set against the other.
  world.change(pool.uid, (account) => {
    account.funding += usdt(500);
  });
  await rounds(2);
  expect((await cycleOf(pool)).reason).toBe('usdt_owed');
  world.change(pool.uid, (account) => {
    account.funding = 0n;
    account.unified = 0n;
  });
  await world.until(pool.poolId, 'processing_invoices');
  // It appears again while the result is decided.
  world.change(pool.uid, (account) => {
    account.unified = -usdt(1);
  });
  await rounds(2);
  expect(await cycleOf(pool)).toMatchObject({ status: 'processing_invoices', reason: 'usdt_owed' });
  expect((await approve(pool)).status).toBe(409);
});

longTest.each([
  ['deposits_suspended', { suspended: ['deposits'] }],
  ['above_deposit_limit', { depositLimit: usdt(999) }],
  ['other_token', { depositToken: `0x${'d7'.repeat(20)}` }],
] as const)('nothing is sent while Bybit would not credit it: %s', async (reason, change) => {
  const pool = await addTrading(1_000);
  await value(pool);
  await world.until(pool.poolId, 'harvesting');
  world.change(pool.uid, (account) => Object.assign(account, { suspended: [], ...change }));
  await stop(pool);
  await rounds(4);
  expect(await cycleOf(pool)).toMatchObject({ status: 'stopping_harvesting', step: 'planning', reason });
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(usdt(1_000) - FEE);
  world.change(pool.uid, (account) =>
    Object.assign(account, { suspended: [], depositLimit: undefined, depositToken: undefined }),
  );
  await world.until(pool.poolId, 'stopped');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) - FEE });
});

longTest('an owner who cannot withdraw is not what a harvest waits for', async () => {
  const pool = await addTrading(1_000);
  world.change(pool.uid, (account) => {
    account.suspended = ['withdrawals'];
  });
  await start(pool);
  await rounds(2);
  expect((await cycleOf(pool)).reason).toBe('withdrawals_suspended');
});
