import { expect, test } from 'vitest';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const DAY_MS = 86_400_000;
const one = poolAccount(1);
const [uid] = [poolState(1).uid];

test('a key shows its account, its permissions and its end', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, { ips: ['127.0.0.1'] }),
    poolState(2, { walletPermissions: ['AccountTransfer', 'Withdraw', 'SubMemberTransfer'] }),
    poolState(3, { parentUid: '70000001', isReadOnly: true }),
  ]);
  expect(await venue.reads.readKey(one, NOW)).toEqual({
    uid,
    isMaster: true,
    parentUid: null,
    isUnified: true,
    isReadOnly: false,
    permissions: expect.arrayContaining(['Wallet.AccountTransfer', 'ContractTrade.Order']),
    mayWithdraw: false,
    leavingPermissions: [],
    mayMove: true,
    ips: ['127.0.0.1'],
    expiresAt: null,
    readAt: venue.now(),
  });
  expect(await venue.reads.readKey(poolAccount(2), NOW)).toMatchObject({
    mayWithdraw: true,
    leavingPermissions: ['Wallet.Withdraw', 'Wallet.SubMemberTransfer'],
    ips: [],
    expiresAt: Math.floor((venue.now() + 90 * DAY_MS) / 1000) * 1000,
  });
  expect(await venue.reads.readKey(poolAccount(3), NOW)).toMatchObject({
    isMaster: false,
    parentUid: '70000001',
    mayMove: false,
  });
});

test('a master key finds its own address and those of its subaccounts, and a sub key none', async () => {
  await using venue = await startSimulatedPools([
    poolState(1),
    poolState(2, { parentUid: uid }),
    poolState(3),
  ]);
  const own = await venue.reads.readDepositAddress(one, {}, NOW);
  expect(own).toMatchObject({
    address: poolState(1).depositAddress,
    contractEnding: '197955',
    releaseLimitUnits: null,
  });
  const sub = await venue.reads.readDepositAddress(one, { subUid: poolState(2).uid }, NOW);
  expect(sub.address).toBe(poolState(2).depositAddress);
  // Of another master account.
  await expect(venue.reads.readDepositAddress(one, { subUid: poolState(3).uid }, NOW)).rejects.toMatchObject({
    code: 'unsupported',
    venueCode: '131209',
  });
  await expect(venue.reads.readDepositAddress(poolAccount(2), {}, NOW)).rejects.toMatchObject({
    code: 'unsupported',
  });
  expect(
    venue.requests.list().filter(({ path, account }) => account !== uid && /deposit/.test(path)),
  ).toEqual([]);
});

test('a deposit is found by its transaction, and credited to the funding wallet to the last unit', async () => {
  await using venue = await startSimulatedPools();
  const txId = `0x${'AB'.repeat(32)}`;
  venue.pools.deposit(uid, 1_234n * USDT + 1n, txId);
  venue.pools.deposit(uid, 5n * USDT);
  const { deposits } = await venue.reads.listDeposits(one, { txId }, NOW);
  expect(deposits).toEqual([
    {
      id: expect.any(String),
      chain: 'BSC',
      txId: txId.toLowerCase(),
      amountUnits: 1_234n * USDT + 1n,
      feeUnits: null,
      toAddress: poolState(1).depositAddress,
      fromAddress: null,
      status: 3,
      depositType: '0',
      state: 'credited',
      problem: null,
      confirmations: 3,
      creditedAt: venue.now(),
    },
  ]);
  expect(await venue.reads.readBalances(one, NOW)).toMatchObject({
    funding: { ownUnits: 1_239n * USDT + 1n, bonusUnits: 0n },
    unified: { ownUnits: 0n },
    totalUnits: 1_239n * USDT + 1n,
    otherCoins: [],
  });
});

test.each([
  ['deposit_held', 2, '20', 'held_for_review'],
  ['deposit_limited', 2, '10', 'daily_limit'],
  ['deposit_blocked', 2, '50', 'blocked'],
  ['deposit_rolled_back', 7, '0', 'rolling_back'],
  ['deposit_under_review', 70_013, '0', 'rollback_failed'],
] as const)('%s is a problem until it is released', async (kind, status, depositType, problem) => {
  await using venue = await startSimulatedPools();
  venue.faults.set({ kind, account: uid, times: 1 });
  const { txId } = venue.pools.deposit(uid, 10n * USDT);
  const read = async () => (await venue.reads.listDeposits(one, { txId }, NOW)).deposits[0];
  expect(await read()).toMatchObject({ state: 'problem', problem, status, depositType, creditedAt: null });
  expect((await venue.reads.readBalances(one, NOW)).totalUnits).toBe(0n);
  venue.pools.release(uid);
  expect(await read()).toMatchObject({ state: 'credited', problem: null });
  expect((await venue.reads.readBalances(one, NOW)).totalUnits).toBe(10n * USDT);
});

test('a deposit may be short, and listed late', async () => {
  await using venue = await startSimulatedPools();
  venue.faults.set({ kind: 'deposit_short', account: uid, times: 1 });
  venue.faults.set({ kind: 'records_late', account: uid, times: 1, ms: 120_000 });
  const { txId } = venue.pools.deposit(uid, 100n * USDT);
  const read = async () => (await venue.reads.listDeposits(one, { txId }, NOW)).deposits;
  venue.advance(119_999);
  expect(await read()).toEqual([]);
  venue.advance(1);
  expect(await read()).toMatchObject([{ amountUnits: 99n * USDT, state: 'credited' }]);
});

test('deposits of months come once each, over windows and pages', async () => {
  await using venue = await startSimulatedPools();
  const startedAt = venue.now();
  const ids: string[] = [];
  // More than a page in the first window, then some in each.
  for (let n = 0; n < 130; n++) {
    ids.push(venue.pools.deposit(uid, BigInt(n + 1) * USDT).id);
    venue.advance(n < 60 ? 1_000 : DAY_MS);
  }
  const span = { sinceMs: startedAt, untilMs: venue.now() };
  const { deposits } = await venue.reads.listDeposits(one, span, NOW);
  expect(deposits.map(({ id }) => id)).toEqual(ids.reverse());
  const some = await venue.reads.listDeposits(one, { sinceMs: startedAt, untilMs: startedAt + 2_000 }, NOW);
  expect(some.deposits).toHaveLength(3);
});

test('a deposit in the second between two windows comes once', async () => {
  await using venue = await startSimulatedPools();
  venue.advance(1_000 - (venue.now() % 1_000) + 500);
  const startedAt = venue.now();
  venue.pools.deposit(uid, USDT);
  // One request may ask for less than 30 days; ours ask for 29.
  venue.advance(29 * DAY_MS);
  venue.pools.deposit(uid, 2n * USDT);
  venue.advance(DAY_MS);
  const span = { sinceMs: startedAt, untilMs: venue.now() };
  const { deposits } = await venue.reads.listDeposits(one, span, NOW);
  expect(deposits.map(({ amountUnits }) => amountUnits)).toEqual([2n * USDT, USDT]);
  expect(venue.requests.count('/v5/asset/deposit/query-record')).toBe(2);
});

test('withdrawals carry their state, and what left is amount and fee', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, { funding: 100n * USDT, unified: 900n * USDT }),
  ]);
  const to = `0x${'cd'.repeat(20)}`;
  const span = () => ({ sinceMs: venue.now() - DAY_MS, untilMs: venue.now() });
  const list = async () => (await venue.reads.listWithdrawals(one, span(), NOW)).withdrawals;
  venue.pools.withdraw(uid, to, 300n * USDT);
  expect(await list()).toMatchObject([
    {
      chain: 'BSC',
      txId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      amountUnits: 300n * USDT,
      feeUnits: (3n * USDT) / 10n,
      toAddress: to,
      isOnChain: true,
      status: 'success',
      state: 'done',
      needsOwner: false,
    },
  ]);
  const left = 1_000n * USDT - 300n * USDT - (3n * USDT) / 10n;
  expect((await venue.reads.readBalances(one, NOW)).totalUnits).toBe(left);

  venue.faults.set({ kind: 'withdrawal_rejected', account: uid, times: 1 });
  venue.pools.withdraw(uid, to, 100n * USDT);
  expect((await list())[0]).toMatchObject({ state: 'ended', status: 'Reject', txId: null });
  expect((await venue.reads.readBalances(one, NOW)).totalUnits).toBe(left);

  venue.faults.set({ kind: 'withdrawal_questioned', account: uid, times: 1 });
  venue.pools.withdraw(uid, to, 100n * USDT);
  expect((await list())[0]).toMatchObject({ state: 'under_way', needsOwner: true });
  venue.faults.set({ kind: 'withdrawal_pending', account: uid, times: 1 });
  venue.pools.withdraw(uid, to, 100n * USDT);
  expect((await list())[0]).toMatchObject({ state: 'under_way', status: 'Pending', txId: null });
  venue.pools.release(uid);
  expect((await list()).map(({ state }) => state)).toEqual(['done', 'done', 'ended', 'done']);
});

test('the key of a subaccount cannot list withdrawals, and says so', async () => {
  await using venue = await startSimulatedPools([poolState(1, { parentUid: '7' })]);
  const span = { sinceMs: venue.now() - 1, untilMs: venue.now() };
  await expect(venue.reads.listWithdrawals(one, span, NOW)).rejects.toMatchObject({
    code: 'unsupported',
    isRetryable: false,
  });
  expect(venue.requests.count('/v5/asset/withdraw/query-record')).toBe(0);
});

test('bonuses belong to the venue, and other coins are listed with their worth where it is known', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, {
      funding: 1n,
      unified: 50n * USDT,
      bonus: 8n * USDT,
      otherCoins: [
        { coin: 'BTC', wallet: 'unified', amount: '0.012', usd: '768.5' },
        { coin: 'ETH', wallet: 'funding', amount: '2', usd: '' },
      ],
    }),
  ]);
  expect(await venue.reads.readBalances(one, NOW)).toEqual({
    funding: { ownUnits: 1n, bonusUnits: 0n },
    unified: {
      ownUnits: 42n * USDT,
      bonusUnits: 8n * USDT,
      borrowedUnits: 0n,
      lockedUnits: 0n,
      unrealizedUnits: 0n,
    },
    totalUnits: 42n * USDT + 1n,
    otherCoins: [
      { coin: 'ETH', wallet: 'funding', amount: '2', usd: null },
      { coin: 'BTC', wallet: 'unified', amount: '0.012', usd: '768.5' },
    ],
    readAt: venue.now(),
  });
});

test('the rules of the coin', async () => {
  await using venue = await startSimulatedPools();
  expect(await venue.reads.readCoin(one, NOW)).toEqual({
    depositMinUnits: USDT / 100n,
    withdrawMinUnits: 2n * USDT,
    withdrawFeeUnits: (3n * USDT) / 10n,
    withdrawFeeShare: '0',
    accuracyDecimals: 8,
    maySendDeposits: true,
    mayWithdraw: true,
    confirmations: 3,
    safeConfirmations: 5,
    contractAddress: '0x55d398326f99059ff775485246999027b3197955',
    readAt: venue.now(),
  });
});
