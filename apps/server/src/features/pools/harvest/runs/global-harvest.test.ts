import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPoolWorld, type PoolWorld } from '../../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../../tests/support/world/usdt.ts';

let world: PoolWorld;
let pools: Awaited<ReturnType<PoolWorld['addTradingPool']>>[];
beforeAll(async () => {
  // Many starts at once use up the exchange's limits, which time refills.
  world = await createPoolWorld({ accounts: 2, speed: 5 });
  // The pools of the demo world have accounts that this exchange does not know.
  await world.owner('UPDATE pooled_account SET is_active = false');
  pools = [
    await world.addTradingPool({ account: 1, amounts: [500] }),
    await world.addTradingPool({ account: 2, amounts: [700] }),
  ];
});
afterAll(() => world?.close());

const start = (as?: string) =>
  world.ask('POST /api/pooled-accounts/global/harvest', { body: { action: 'start' } }, {}, as);
const counted = () =>
  world.owner(`SELECT (SELECT count(*) FROM harvest_run) AS runs, (SELECT count(*) FROM saga_event) AS events,
    (SELECT string_agg(status || version, ',' ORDER BY id) FROM harvest_cycle WHERE ended_at IS NULL) AS cycles`);

test('one pool with an open position refuses the run, by name, and nothing changes', async () => {
  const [, second] = pools;
  world.change(second?.uid as string, (account) => {
    account.positions.push({
      category: 'linear',
      settleCoin: 'USDT',
      symbol: 'BTCUSDT',
      side: 'Buy',
      size: '0.001',
      price: '60000',
      openedAt: world.venue.now(),
    });
  });
  const before = await counted();
  const { status, body } = await start();
  expect([status, body.error]).toEqual([409, 'open_positions_exist']);
  expect(body.details).toEqual([
    { path: second?.poolId, message: expect.stringMatching(/^Community .*\(1 positions, 0 orders\)$/) },
  ]);
  expect(await counted()).toEqual(before);
  world.change(second?.uid as string, (account) => {
    account.positions = [];
  });
});

test('fifty starts at once make one run, and the run follows its pools', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => start(nth % 2 ? world.other : world.token)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refusals = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error));
  // A busy machine turns away those that would wait for too long.
  refusals.delete('unavailable');
  expect(refusals).toEqual(new Set(['already_harvesting']));
  const held = await world.act(pools[0]?.poolId as string, { action: 'start' });
  expect(held.body.error).toBe('already_harvesting');
  for (const { poolId } of pools) await world.until(poolId, 'awaiting_bybit_withdrawal');
  const lastRun = async () =>
    (await world.ask('GET /api/pooled-accounts/global/harvest/status', {})).body.data.last_run;
  expect(await lastRun()).toMatchObject({ state: 'running', counts: { awaiting: 2, moving: 0 } });
  for (const { uid, proxy } of pools) world.venue.pools.withdraw(uid, proxy, 'all');
  for (const { poolId } of pools) await world.until(poolId, 'harvesting');
  expect(await lastRun()).toMatchObject({ state: 'done', counts: { done: 2 }, failed: [] });
});

test('a result that changes after its approval has to be approved again', async () => {
  const [first] = pools;
  if (!first) throw new Error('no pool');
  const { poolId, uid, proxy } = first;
  await world.untilQuiet(poolId);
  expect((await world.act(poolId, { action: 'stop' })).status).toBe(200);
  await world.until(poolId, 'stopped');
  world.earn(uid, -usdt(300));
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(uid, proxy, 'all');
  await world.until(poolId, 'processing_invoices');
  for (let nth = 0; nth < 3; nth += 1) await world.round();
  expect((await world.act(poolId, { action: 'approve' }, world.other)).status).toBe(200);
  // As an arrival that the exchange lists as one more withdrawal would.
  await world.owner(
    `UPDATE harvest_cycle SET approved_result_units = approved_result_units + 1
     WHERE pooled_account_id = $1 AND ended_at IS NULL`,
    [poolId],
  );
  for (let nth = 0; nth < 3; nth += 1) await world.round();
  expect((await world.pool(poolId)).current_harvest_cycle).toMatchObject({
    status: 'processing_invoices',
    step: 'valuing',
    reason: 'approval_required',
  });
  expect((await world.act(poolId, { action: 'approve' }, world.other)).status).toBe(200);
  await world.until(poolId, 'harvesting');
});

test('a refused global stop leaves every gate open; closing them all is an act of its own', async () => {
  const [first] = pools;
  if (!first) throw new Error('no pool');
  const { poolId, members } = first;
  const params = { id: poolId };
  const stepsOf = () =>
    Promise.all(pools.map(async ({ poolId: id }) => (await world.pool(id)).current_harvest_cycle.step));
  for (const { poolId: id } of pools) await world.untilQuiet(id);
  // A withdrawal that no worker may sign stays under way.
  world.engine.limits = { perTransaction: 1n, perDay: null };
  const body = { member_id: members[0]?.id as string, amount: '10' };
  expect((await world.ask('POST /api/pooled-accounts/{id}/withdrawals', { params, body })).status).toBe(201);
  for (let nth = 0; nth < 3; nth += 1) await world.round();
  const before = await counted();
  const stop = await world.ask('POST /api/pooled-accounts/global/harvest', { body: { action: 'stop' } });
  expect([stop.status, stop.body.error]).toEqual([409, 'pending_operations']);
  expect(JSON.stringify(stop.body)).not.toMatch(/no longer|closed/);
  expect(await counted()).toEqual(before);
  expect(await stepsOf()).toEqual(['open', 'open']);

  const closeAll = () => world.ask('POST /api/pooled-accounts/global/close-gates', {});
  const closings = await Promise.all([closeAll(), closeAll()]);
  expect(closings.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(closings.find(({ status }) => status === 200)?.body.data).toEqual({ pools: 2 });
  expect(await stepsOf()).toEqual(['closing', 'closing']);
  const [audited] = await world.owner<{ count: number }>(
    `SELECT count(*)::int AS count FROM audit_entry WHERE action = 'harvest.close_gate'`,
  );
  expect(audited?.count).toBe(2);
  world.engine.limits = { perTransaction: null, perDay: null };
});
