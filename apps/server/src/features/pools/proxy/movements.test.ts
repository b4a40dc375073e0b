import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { until } from '../../../../../../tests/support/until.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { units, usdt } from '../../../../../../tests/support/world/usdt.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PoolWorld;
let pool: Awaited<ReturnType<PoolWorld['addTradingPool']>>;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 1 });
  pool = await world.addTradingPool({ account: 1, amounts: [500] });
});
afterAll(() => world?.close());

const OWNERS_WALLET = `0x${'5e'.repeat(20)}` as const;

const listMovements = async () =>
  (await world.ask('GET /api/pooled-accounts/{id}/movements', { params: { id: pool.poolId }, query: {} }))
    .body.data;
const listArrivals = async () =>
  (await world.ask('GET /api/pooled-accounts/{id}/arrivals', { params: { id: pool.poolId }, query: {} })).body
    .data;

/** Lets the workers read until the exchange reports its latest withdrawal as done: it takes several states to get there. */
const untilWithdrawn = () =>
  until(async () => {
    await world.round();
    return (await listMovements())[0]?.state === 'done';
  });

async function payToProxy(units: bigint): Promise<void> {
  await world.chain.pay(pool.proxy, units);
  await world.chain.finalize();
  await world.readChain();
}

const link = (arrivalId: string, movementId: string, kind = 'is_return') =>
  world.askAnything('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
    params: { id: pool.poolId, arrivalId },
    body: { kind, amount: '499.7', evidence: 'asked the owner', movement_id: movementId },
  });
const decide = (what: 'confirm' | 'undo', arrivalId: string, decisionId: string, body?: object) =>
  world.askAnything(
    `POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/${what}`,
    { params: { id: pool.poolId, arrivalId, decisionId }, ...(body && { body }) },
    {},
    world.other,
  );

test('a withdrawal by way of another wallet is suggested, linked by two people, and undone by one', async () => {
  const { poolId, uid } = pool;
  await world.act(poolId, { action: 'start' });
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(uid, OWNERS_WALLET, 'all');
  await untilWithdrawn();
  expect(await listMovements()).toMatchObject([
    { kind: 'withdrawal', match: 'elsewhere', amount: '499.7', fee: '0.3', arrival: null, decision: null },
    { kind: 'deposit', match: 'matched', state: 'done', amount: '500', arrival: null },
  ]);
  const movementId = (await listMovements())[0]?.id as string;

  await payToProxy(units('499.7'));
  await payToProxy(usdt(7));
  const [other, arrival] = await listArrivals();
  if (!arrival || !other) throw new Error('two arrivals are expected');
  expect(await listMovements()).toMatchObject([
    { match: 'suggested', fits: 'amount', arrival: { id: arrival.id, amount: '499.7' } },
    { kind: 'deposit' },
  ]);

  expect((await link(arrival.id, 'no such withdrawal')).body.error).toBe('not_found');
  expect((await link(arrival.id, movementId, 'covers_shortfall')).body.error).toBe('validation_failed');
  const proposed = await link(arrival.id, movementId);
  expect(proposed.status).toBe(201);
  expect((await link(other.id, movementId)).body.error).toBe('arrival_amount');
  const small = { params: { id: poolId, arrivalId: other.id } };
  expect(
    (
      await world.askAnything('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
        ...small,
        body: { kind: 'is_return', amount: '7', evidence: 'none', movement_id: movementId },
      })
    ).body.error,
  ).toBe('movement_linked');
  const decisionId = proposed.body.data.id as string;
  expect((await decide('undo', arrival.id, decisionId, { reason: 'too early' })).body.error).toBe(
    'not_linked',
  );
  expect((await decide('confirm', arrival.id, decisionId)).status).toBe(200);
  expect(await listMovements()).toMatchObject([
    { match: 'linked', decision: { id: decisionId, state: 'done', may_undo: true } },
    { kind: 'deposit' },
  ]);

  const reason = { reason: 'it was the payment of a member' };
  const undone = await Promise.all(
    Array.from({ length: 5 }, () => decide('undo', arrival.id, decisionId, reason)),
  );
  expect(undone.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(await world.booksOf(poolId)).toMatchObject({
    pool_unexplained: units('506.7'),
    pool_exchange: usdt(500),
  });
  expect((await world.booksOf(poolId)).pool_returned ?? 0n).toBe(0n);
  expect(await listMovements()).toMatchObject([{ match: 'suggested' }, { kind: 'deposit' }]);
  // The harvest waits for the money again.
  for (let nth = 0; nth < 3; nth += 1) await world.round();
  expect((await world.pool(poolId)).current_harvest_cycle.status).toBe('awaiting_bybit_withdrawal');

  const again = (await link(arrival.id, movementId)).body.data.id as string;
  expect((await decide('confirm', arrival.id, again)).status).toBe(200);
  await world.until(poolId, 'harvesting');
  expect(await listMovements()).toMatchObject([
    { match: 'linked', decision: { may_undo: false } },
    { kind: 'deposit' },
  ]);
  expect((await decide('undo', arrival.id, again, reason)).body.error).toBe('link_too_old');
  expect(await world.booksOf(poolId)).toEqual({ pool_proxy: units('506.7'), pool_unexplained: usdt(7) });
  expect(await world.differing()).toBe(0);
});

test('the transaction matches funding and withdrawals, and a link of an earlier cycle cannot be undone', async () => {
  const { poolId, uid, proxy } = pool;
  await world.act(poolId, { action: 'stop' });
  await world.until(poolId, 'stopped');
  expect(await listMovements()).toMatchObject([
    { kind: 'deposit', match: 'matched', state: 'done', arrival: null },
    { kind: 'withdrawal', match: 'linked' },
    { kind: 'deposit', match: 'matched' },
  ]);
  const linked = (await listMovements())[1];
  if (!linked?.arrival || !linked.decision) throw new Error('a link is expected');
  await world.act(poolId, { action: 'start' });
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(uid, proxy, usdt(400));
  await untilWithdrawn();
  for (let nth = 0; nth < 3; nth += 1) await world.round();
  const [latest] = await listMovements();
  expect(latest).toMatchObject({ kind: 'withdrawal', match: 'matched', arrival: { state: 'returned' } });
  // What returned in this cycle would cover it.
  expect((await world.booksOf(poolId)).pool_returned).toBe(usdt(400));
  const undone = await decide('undo', linked.arrival.id, linked.decision.id, { reason: 'late' });
  expect(undone.body.error).toBe('link_too_old');
});
