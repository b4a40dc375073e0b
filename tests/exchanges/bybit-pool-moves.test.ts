import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const MOVE = '/v5/asset/transfer/inter-transfer';
const one = poolAccount(1);
const { uid } = poolState(1);
const funded = (units: bigint) => startSimulatedPools([poolState(1, { funding: units })]);

test('money moves from the funding to the unified wallet, once for an id', async () => {
  await using venue = await funded(100n * USDT);
  const move = { transferId: randomUUID(), amountUnits: 60n * USDT };
  expect(await venue.reads.findTransfer(one, move.transferId, NOW)).toBeNull();
  expect(await venue.reads.moveToUnified(one, move, NOW)).toEqual({ state: 'done', status: 'SUCCESS' });
  expect(await venue.reads.moveToUnified(one, move, NOW)).toEqual({ state: 'done', status: 'SUCCESS' });
  expect(await venue.reads.findTransfer(one, move.transferId, NOW)).toEqual({
    ...move,
    state: 'done',
    status: 'SUCCESS',
  });
  const { funding, unified } = await venue.reads.readBalances(one, NOW);
  expect([funding.ownUnits, unified.ownUnits]).toEqual([40n * USDT, 60n * USDT]);
});

test('an answer that was lost is not a second move', async () => {
  await using venue = await startSimulatedPools([poolState(1, { funding: 100n * USDT })], {
    settings: { timeoutMs: 300 },
  });
  const move = { transferId: randomUUID(), amountUnits: 60n * USDT };
  // The venue does its work, and the connection breaks in the middle of the answer.
  venue.faults.set({ kind: 'cut', path: MOVE, times: 1 });
  await expect(venue.reads.moveToUnified(one, move, NOW)).rejects.toMatchObject({ isRetryable: true });
  expect(venue.requests.count(MOVE)).toBe(1);
  expect(await venue.reads.findTransfer(one, move.transferId, NOW)).toMatchObject({ state: 'done' });
  expect(await venue.reads.moveToUnified(one, move, NOW)).toMatchObject({ state: 'done' });
  expect((await venue.reads.readBalances(one, NOW)).unified.ownUnits).toBe(60n * USDT);
});

test('a move that never arrived may be repeated', async () => {
  await using venue = await startSimulatedPools([poolState(1, { funding: 100n * USDT })], {
    settings: { timeoutMs: 300 },
  });
  const move = { transferId: randomUUID(), amountUnits: 60n * USDT };
  venue.faults.set({ kind: 'timeout', path: MOVE, times: 1 });
  await expect(venue.reads.moveToUnified(one, move, NOW)).rejects.toMatchObject({ code: 'timeout' });
  // A POST is never sent twice for one call.
  expect(venue.requests.count(MOVE)).toBe(1);
  expect(await venue.reads.findTransfer(one, move.transferId, NOW)).toBeNull();
  expect(await venue.reads.moveToUnified(one, move, NOW)).toMatchObject({ state: 'done' });
});

test.each([
  ['more than there is', 101n * USDT, 'insufficient_balance', '131212'],
  ['more decimals than the venue has', 1n, 'invalid_amount', '131210'],
  ['nothing', 0n, 'invalid_amount', null],
  ['less than nothing', -1n, 'invalid_amount', null],
])('%s is refused, and nothing moves', async (_what, amountUnits, reason, venueCode) => {
  await using venue = await funded(100n * USDT);
  const move = { transferId: randomUUID(), amountUnits };
  expect(await venue.reads.moveToUnified(one, move, NOW)).toEqual({ state: 'refused', reason, venueCode });
  expect((await venue.reads.readBalances(one, NOW)).funding.ownUnits).toBe(100n * USDT);
});

test('a key without the permission cannot move, and an id has to be a UUID', async () => {
  await using venue = await startSimulatedPools([
    poolState(1, { funding: USDT, walletPermissions: [] }),
    poolState(2, { funding: USDT }),
  ]);
  const move = { transferId: randomUUID(), amountUnits: USDT };
  await expect(venue.reads.moveToUnified(one, move, NOW)).rejects.toMatchObject({
    code: 'insufficient_permission',
  });
  const unnamed = { ...move, transferId: 'cycle 7' };
  await expect(venue.reads.moveToUnified(poolAccount(2), unnamed, NOW)).rejects.toMatchObject({
    code: 'unsupported',
  });
});

test('the gateway sends no other POST to Bybit, whatever is called', async () => {
  await using venue = await funded(USDT);
  await venue.reads.moveToUnified(one, { transferId: randomUUID(), amountUnits: USDT }, NOW);
  const posts = venue.requests.list().filter(({ method }) => method !== 'GET');
  expect(posts).toMatchObject([{ path: MOVE, account: uid }]);
});
