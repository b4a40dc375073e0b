import { expect, test } from 'vitest';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const DAY_MS = 86_400_000;
const one = poolAccount(1);
const { uid } = poolState(1);

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
      status: 3,
      state: 'credited',
      problem: null,
      creditedAt: venue.now(),
    },
  ]);
  expect(await venue.reads.readBalances(one, NOW)).toMatchObject({
    funding: { ownUnits: 1_239n * USDT + 1n },
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
] as const)('%s is a problem until it is released', async (kind, status, _depositType, problem) => {
  await using venue = await startSimulatedPools();
  venue.faults.set({ kind, account: uid, times: 1 });
  const { txId } = venue.pools.deposit(uid, 10n * USDT);
  const read = async () => (await venue.reads.listDeposits(one, { txId }, NOW)).deposits[0];
  expect(await read()).toMatchObject({ state: 'problem', problem, status, creditedAt: null });
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
