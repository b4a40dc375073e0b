import { expect, test } from 'vitest';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const DAY_MS = 86_400_000;
const one = poolAccount(1);
const { uid } = poolState(1);

test('a key shows its account, its permissions and its end', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, { ips: ['127.0.0.1'] }),
    poolState(2, { walletPermissions: ['AccountTransfer', 'Withdraw', 'SubMemberTransfer'] }),
    poolState(3, { parentUid: '70000001', isReadOnly: true }),
  ]);
  expect(await venue.reads.readKey(one, NOW)).toEqual({
    uid,
    isMaster: true,
    region: null,
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
    expiresAt: (Math.floor(venue.now() / DAY_MS) + 90) * DAY_MS,
  });
  expect(await venue.reads.readKey(poolAccount(3), NOW)).toMatchObject({
    isMaster: false,
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

test('withdrawals carry their state, and cost amount and fee', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, { funding: 100n * USDT, unified: 900n * USDT }),
  ]);
  const to = `0x${'cd'.repeat(20)}`;
  const span = () => ({ sinceMs: venue.now() - DAY_MS, untilMs: venue.now() });
  const list = async () => (await venue.reads.listWithdrawals(one, span(), NOW)).withdrawals;
  venue.pools.withdraw(uid, to, 300n * USDT);
  expect(await list()).toMatchObject([
    {
      txId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      amountUnits: 300n * USDT,
      feeUnits: (3n * USDT) / 10n,
      toAddress: to,
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
    funding: { ownUnits: 1n },
    unified: { ownUnits: 42n * USDT, unrealizedUnits: 0n },
    owedUnits: 0n,
    totalUnits: 42n * USDT + 1n,
    otherCoins: [
      { coin: 'ETH', wallet: 'funding', amount: '2', owed: '0', usd: null },
      { coin: 'BTC', wallet: 'unified', amount: '0.012', owed: '0', usd: '768.5' },
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
    contractAddress: '0x55d398326f99059ff775485246999027b3197955',
    readAt: venue.now(),
  });
});
