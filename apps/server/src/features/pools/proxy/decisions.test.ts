import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PoolWorld;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 4 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;
const SENDER = `0x${'5e'.repeat(20)}` as const;

/** Tokens from elsewhere at the proxy wallet. */
async function payToProxy({ proxy }: Pool, units: bigint): Promise<void> {
  await world.chain.pay(proxy, units);
  await world.chain.finalize();
  await world.readChain();
}

const list = async ({ poolId }: Pool) =>
  (await world.ask('GET /api/pooled-accounts/{id}/arrivals', { params: { id: poolId }, query: {} })).body;

async function propose(pool: Pool, body: object, token = world.token) {
  const [arrival] = (await list(pool)).data;
  const params = { id: pool.poolId, arrivalId: arrival?.id as string };
  const answer = await world.askAnything(
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions',
    { params, body: { evidence: 'asked the owner', ...body } },
    {},
    token,
  );
  return { ...answer, place: { ...params, decisionId: answer.body.data?.id as string } };
}

type Place = Awaited<ReturnType<typeof propose>>['place'];
const decide = (what: 'confirm' | 'withdraw', params: Place, token = world.other) =>
  world.askAnything(
    `POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/${what}`,
    { params },
    {},
    token,
  );

async function roundsUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let nth = 0; nth < 20; nth += 1) {
    if (await isDone()) return;
    await world.round();
  }
  throw new Error('it does not get there');
}

test('two people accept what the owner returned from another wallet, and the harvest goes on', async () => {
  const pool = await world.addTradingPool({ account: 1, amounts: [500] });
  const { poolId, uid } = pool;
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(uid, SENDER, 'all');
  await world.round();
  await payToProxy(pool, usdt(499));
  await world.round();
  expect(await world.booksOf(poolId)).toMatchObject({
    pool_unexplained: usdt(499),
    pool_exchange: usdt(500),
  });
  expect((await world.pool(poolId)).current_harvest_cycle.status).toBe('awaiting_bybit_withdrawal');
  expect((await list(pool)).meta).toEqual({
    total: 1,
    unexplained: 1,
    resolvable: { is_return: '499', sent_back: '499', covers_shortfall: '0' },
  });

  expect((await propose(pool, { kind: 'is_return', amount: '499.000000000000000001' })).body.error).toBe(
    'arrival_amount',
  );
  expect((await propose(pool, { kind: 'covers_shortfall', amount: '1' })).body.error).toBe('arrival_amount');
  const { status, place } = await propose(pool, { kind: 'is_return', amount: '499' });
  expect(status).toBe(201);
  expect((await propose(pool, { kind: 'is_return', amount: '1' }, world.other)).body.error).toBe(
    'decision_pending',
  );
  expect((await decide('confirm', place, world.token)).body.error).toBe('own_approval');
  // Of many confirmations at once, one takes effect.
  const answers = await Promise.all(Array.from({ length: 5 }, () => decide('confirm', place)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(await world.booksOf(poolId)).toMatchObject({ pool_returned: usdt(499) });
  expect((await list(pool)).data).toMatchObject([
    { state: 'resolved', unexplained: '0', decisions: [{ state: 'done', kind: 'is_return', is_own: true }] },
  ]);
  await world.until(poolId, 'harvesting');
  expect(await world.booksOf(poolId)).toEqual({ pool_proxy: usdt(499) });
  const [cycle] = await world.cyclesOf(poolId, 2);
  expect(BigInt(cycle?.result ?? 0)).toBe(-usdt(1));
  expect(await world.differing()).toBe(0);
});

test('a part is sent back, once, and only to an address that is not ours', async () => {
  const pool = await world.addOpenPool({ account: 2, members: 1 });
  await payToProxy(pool, usdt(40));
  const back = (to: string | undefined, amount = '15') =>
    propose(pool, { kind: 'sent_back', amount, to_address: to });
  expect((await back(undefined)).status).toBe(400);
  expect((await back(pool.members[0]?.address)).body.error).toBe('validation_failed');
  expect((await back(pool.proxy)).body.error).toBe('validation_failed');
  expect((await propose(pool, { kind: 'is_return', amount: '1', to_address: SENDER })).body.error).toBe(
    'validation_failed',
  );
  const before = await world.chain.token.balanceOf(SENDER);
  const { place } = await back(SENDER);
  expect((await decide('confirm', place)).status).toBe(200);
  // Until its transfer is final, the same money cannot be decided about again.
  expect((await list(pool)).meta.resolvable.sent_back).toBe('25');
  expect((await back(SENDER, '25')).body.error).toBe('decision_pending');
  expect((await world.booksOf(pool.poolId)).pool_unexplained).toBe(usdt(40));
  await roundsUntil(async () => (await list(pool)).data[0]?.decisions[0]?.state === 'done');
  expect((await world.chain.token.balanceOf(SENDER)) - before).toBe(usdt(15));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(25), pool_unexplained: usdt(25) });
  expect((await list(pool)).data).toMatchObject([
    {
      state: 'unexplained',
      amount: '40',
      unexplained: '25',
      decisions: [
        { state: 'done', to_address: expect.stringMatching(/^0x5/i), transaction_hash: expect.any(String) },
      ],
    },
  ]);
  expect((await decide('confirm', place)).body.error).toBe('arrival_explained');
  expect((await decide('withdraw', place)).body.error).toBe('arrival_explained');
  expect((await back(SENDER, '26')).body.error).toBe('arrival_amount');
  expect(await world.differing()).toBe(0);
});

test('a proposal can be withdrawn, and so can a transfer that no limit lets through', async () => {
  const pool = await world.addOpenPool({ account: 3, members: 1 });
  await payToProxy(pool, usdt(90));
  const send = { kind: 'sent_back', amount: '90', to_address: SENDER };
  const first = await propose(pool, send);
  expect((await decide('withdraw', first.place, world.token)).status).toBe(200);
  expect((await decide('confirm', first.place)).body.error).toBe('arrival_explained');
  const second = await propose(pool, send);
  world.engine.limits = { perTransaction: usdt(50), perDay: null };
  try {
    expect((await decide('confirm', second.place)).status).toBe(200);
    await roundsUntil(
      async () => (await list(pool)).data[0]?.decisions[0]?.problem === 'over_transaction_limit',
    );
    expect((await decide('withdraw', second.place)).status).toBe(200);
  } finally {
    world.engine.limits = { perTransaction: null, perDay: null };
  }
  await world.round();
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(90), pool_unexplained: usdt(90) });
  expect((await list(pool)).data[0]?.decisions.map(({ state }: { state: string }) => state)).toEqual([
    'withdrawn',
    'withdrawn',
  ]);
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(usdt(90));
});

test('a record of the exchange explains an arrival before people do', async () => {
  const pool = await world.addTradingPool({ account: 4, amounts: [100] });
  const hash = await world.chain.pay(pool.proxy, usdt(100));
  await world.chain.finalize();
  await world.readChain();
  const { place } = await propose(pool, { kind: 'is_return', amount: '100' });
  await world.owner(
    `INSERT INTO pool_movement (pooled_account_id, kind, record_id, transaction_hash, amount_units, to_address, state,
       venue_status, happened_at) VALUES ($1, 'withdrawal', $2, $2, 1, $3, 'done', 'test', now())`,
    [pool.poolId, hash, pool.proxy],
  );
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  await world.round();
  expect((await decide('confirm', place)).body.error).toBe('arrival_explained');
  expect((await list(pool)).data[0]).toMatchObject({
    state: 'returned',
    decisions: [{ state: 'withdrawn' }],
  });
  expect(await world.booksOf(pool.poolId)).toMatchObject({ pool_returned: usdt(100) });
});
