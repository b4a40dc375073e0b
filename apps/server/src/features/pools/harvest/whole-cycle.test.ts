import { unitsToDecimal } from '@copydesk/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: PoolWorld;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 3 });
});
afterAll(() => world?.close());

type Part = Awaited<ReturnType<PoolWorld['allocationsOf']>>[number];

/** A member's statement adds up to the virtual balance, from the same rows as the books. */
async function expectStatement(
  traderId: string,
  { deposited, part, withdrawn }: { deposited: bigint; part: Part | undefined; withdrawn: bigint },
): Promise<void> {
  const { body } = await world.ask('GET /api/traders/{id}/pool', { params: { id: traderId } });
  const { allocated = 0n, fee = 0n, after = 0n } = part ?? {};
  expect(body.data).toMatchObject({
    totals: {
      opening_balance: '0',
      deposited: unitsToDecimal(deposited),
      results: unitsToDecimal(allocated),
      fees: unitsToDecimal(fee),
      withdrawn: unitsToDecimal(withdrawn),
      virtual_balance: unitsToDecimal(deposited + allocated - fee - withdrawn),
    },
    cycles: [
      {
        cycle_number: 2,
        opening: unitsToDecimal(deposited),
        result: unitsToDecimal(allocated),
        fee: unitsToDecimal(fee),
        closing: unitsToDecimal(after),
      },
    ],
    cycle_count: 1,
  });
}

test('a pool runs a whole cycle, and books, chain and exchange agree to the unit', async () => {
  const pool = await world.addTradingPool({ account: 1, amounts: [1_000, 3_000] });
  const { poolId, uid, community, members, proxy } = pool;
  expect(await world.booksOf(poolId)).toEqual({ pool_exchange: usdt(4_000) });
  expect(world.venue.pools.get(uid).unified).toBe(usdt(4_000));
  expect(await world.pool(poolId)).toMatchObject({
    total_virtual_balance: '4000',
    current_harvest_cycle: { cycle_number: 2, status: 'stopped' },
  });

  world.earn(uid, usdt(400));
  expect((await world.act(poolId, { action: 'start' })).body.message).toBe(undefined);
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  const [message] = await world.messagesOf(community.id);
  expect(message).toMatchObject({ kind: 'withdraw_funds', state: 'queued' });
  expect(message?.text).toContain(proxy);
  world.venue.pools.withdraw(uid, proxy, 'all');
  await world.until(poolId, 'harvesting');
  const status = await world.ask('GET /api/pooled-accounts/{id}/harvest/status', { params: { id: poolId } });
  expect(status.body.data.entered.map(({ step }: { step: string }) => step)).toEqual([
    ...['pausing', 'checking', 'withdrawing', 'valuing', 'opening', 'open'],
  ]);

  const [cycle] = await world.owner<{ id: string; result: string }>(
    'SELECT id, result_units::text AS result FROM harvest_cycle WHERE pooled_account_id = $1 AND cycle_number = 2',
    [poolId],
  );
  const result = BigInt(cycle?.result ?? 0);
  const parts = await world.allocationsOf(cycle?.id as string);
  expect(parts.map(({ allocated }) => allocated).sort()).toEqual([result / 4n, result - result / 4n].sort());
  const fees = parts.reduce((sum, { fee }) => sum + fee, 0n);
  expect(fees).toBeGreaterThan(0n);
  const wallet = await world.walletOf(community.id);
  const heldUnits = (await world.chain.token.balanceOf(proxy)) + (await world.chain.token.balanceOf(wallet));
  expect(heldUnits).toBe(usdt(4_000) + result);

  // Until the pool has paid its invoices, they stay on the books.
  const owed = await world.owner<{ id: string }>(
    `SELECT id FROM invoice WHERE harvest_cycle_id = $1 AND status = 'pending'`,
    [cycle?.id],
  );
  expect(owed).toHaveLength(2);
  const explained = await Promise.all(
    owed.map(({ id }) => world.ask('GET /api/invoices/{id}', { params: { id } })),
  );
  for (const { body } of explained) {
    const { basis, amount, commission_rate } = body.data;
    if (basis.kind !== 'cycle') throw new Error(basis.kind);
    expect(basis).toMatchObject({ pool_id: poolId, cycle_number: 2, unexplained: '0' });
    expect(Number(basis.charged_profit) * Number(commission_rate)).toBeCloseTo(Number(amount), 9);
    expect(parts.map(({ allocated }) => unitsToDecimal(allocated))).toContain(basis.result);
  }
  const archived = await world.ask('PATCH /api/invoices/{id}/archive', {
    params: { id: owed[0]?.id as string },
    body: { is_archived: true },
  });
  expect(archived.body.error).toBe('invoice_of_pool');
  const all = await world.ask('PATCH /api/invoices/admin/archive', {
    body: { invoice_ids: owed.map(({ id }) => id), is_archived: true },
  });
  expect(all.body.data).toEqual({ changed: 0, unchanged: 2 });

  // The fees move to the community's wallet, which pays the invoices; everything of one member is withdrawn.
  const [first] = members;
  const gone = parts.find(({ memberId }) => memberId === first?.id);
  const wanted = { member_id: first?.id as string, amount: 'all', request_key: 'once' };
  const ask = () =>
    world.ask('POST /api/pooled-accounts/{id}/withdrawals', { params: { id: poolId }, body: wanted });
  const [one, again] = await Promise.all([ask(), ask()]);
  expect(one.body.data.id).toBe(again.body.data.id);
  await world.untilQuiet(poolId);
  const invoices = await world.owner<{
    status: string;
    settled_by: string;
    payables: number;
    amount: string;
  }>(
    `SELECT i.status, i.settled_by, i.amount_units::text AS amount,
       (SELECT count(*)::int FROM payable y WHERE y.invoice_id = i.id AND y.consolidation_id IS NOT NULL) AS payables
     FROM invoice i WHERE i.harvest_cycle_id = $1`,
    [cycle?.id],
  );
  expect(invoices).toHaveLength(2);
  for (const invoice of invoices) expect(invoice).toMatchObject({ status: 'paid', settled_by: 'pool' });
  expect(invoices.every(({ payables }) => payables > 2)).toBe(true);
  expect(await world.chain.token.balanceOf(wallet)).toBe(fees);
  expect(await world.chain.token.balanceOf(first?.payoutAddress as `0x${string}`)).toBe(gone?.after);
  expect(await world.booksOf(poolId)).toEqual({
    pool_proxy: usdt(4_000) + result - fees - (gone?.after ?? 0n),
  });

  await expectStatement(first?.traderId as string, {
    deposited: usdt(1_000),
    part: gone,
    withdrawn: gone?.after ?? 0n,
  });
  const results = await world.ask('GET /api/pooled-accounts/{id}/results', { params: { id: poolId } });
  const percentage = unitsToDecimal((result * 100n) / 4_000n);
  expect(results.body.data).toEqual([
    {
      cycle_number: 2,
      valued_at: expect.any(String),
      opening: '4000',
      result: unitsToDecimal(result),
      return_percentage: percentage,
      unit_price: unitsToDecimal(usdt(1) + result / 4_000n),
      drawdown: '0',
    },
  ]);

  // The deposits were before any result, the withdrawal after it.
  const deposited = { cycle_number: 1, kind: 'deposit', count: 2, amount: '4000' };
  const withdrawn = {
    ...{ cycle_number: 2, kind: 'withdrawal', count: 1 },
    amount: unitsToDecimal(gone?.after ?? 0n),
  };
  expect(results.body.meta.events).toEqual([deposited, withdrawn]);

  expect((await world.act(poolId, { action: 'stop' })).status).toBe(200);
  await world.until(poolId, 'stopped');
  const books = await world.booksOf(poolId);
  expect(books.pool_exchange).toBe(world.venue.pools.get(uid).unified);
  expect(books.pool_proxy ?? 0n).toBe(await world.chain.token.balanceOf(proxy));
  expect(await world.differing()).toBe(0);
  expect((await world.pool(poolId)).current_harvest_cycle).toMatchObject({
    cycle_number: 3,
    status: 'stopped',
  });

  // What was withdrawn is in no later return: 10 % of what is left are 10 %, and the price grows by them.
  const left = usdt(4_000) + result - fees - (gone?.after ?? 0n);
  world.earn(uid, left / 10n);
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(uid, proxy, 'all');
  await world.until(poolId, 'harvesting');
  const readResults = async (as = world.token) =>
    (await world.ask('GET /api/pooled-accounts/{id}/results', { params: { id: poolId } }, {}, as)).body;
  const { data } = await readResults();
  const [latest, before] = data;
  expect(latest).toMatchObject({ cycle_number: 3, opening: unitsToDecimal(left) });
  expect(Number(latest?.return_percentage)).toBeCloseTo(
    (100 * Number(latest?.result)) / Number(latest?.opening),
    5,
  );
  expect(Number(latest?.return_percentage)).toBeCloseTo(10, 1);
  expect(Number(latest?.unit_price)).toBeCloseTo(
    Number(before?.unit_price) * (1 + Number(latest?.return_percentage) / 100),
    8,
  );

  // Staff see what their own traders brought and took.
  const [foreign] = await world.owner<{ id: string }>('SELECT id FROM provider WHERE id <> $1 LIMIT 1', [
    community.providerId,
  ]);
  for (const change of [
    'UPDATE exchange_account SET provider_id = $2 WHERE trader_id = $1',
    'UPDATE trader SET selected_provider_id = $2 WHERE id = $1',
  ])
    await world.owner(change, [first?.traderId, foreign?.id]);
  const seen = await readResults(await world.signIn('staff'));
  expect(seen.data.map(({ unit_price }: { unit_price: string }) => unit_price)).toEqual(
    data.map(({ unit_price }: { unit_price: string }) => unit_price),
  );
  expect(seen.meta.events).toEqual([{ ...deposited, count: 1, amount: '3000' }]);
});

test('a large loss waits for another super admin, and makes up for itself before a fee is due again', async () => {
  const pool = await world.addTradingPool({ account: 2, amounts: [1_000] });
  const { poolId, uid, proxy } = pool;
  const harvest = async () => {
    expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
    await world.until(poolId, 'awaiting_bybit_withdrawal');
    world.venue.pools.withdraw(uid, proxy, 'all');
  };
  world.earn(uid, -usdt(400));
  await harvest();
  await world.until(poolId, 'processing_invoices');
  for (let nth = 0; nth < 3; nth += 1) await world.round();
  const progress = async () =>
    (await world.ask('GET /api/pooled-accounts/{id}/harvest/progress', { params: { id: poolId } })).body.data;
  expect(await progress()).toMatchObject({
    awaited: 'super_admin',
    waits_because: 'approval_required',
    valuation: { reasons: ['large_result'], is_approved: false, is_booked: false },
    actions: [{ action: 'approve', refusal: 'own_approval' }],
  });
  const approval = { action: 'approve', evidence_id: (await progress()).evidence?.id };
  expect((await world.act(poolId, approval)).body.error).toBe('own_approval');
  expect((await world.act(poolId, { ...approval, evidence_id: poolId }, world.other)).body.error).toBe(
    'cycle_changed',
  );
  const approved = await world.act(poolId, approval, world.other);
  expect(approved.status).toBe(200);
  await world.until(poolId, 'harvesting');
  const [loss] = await world.cyclesOf(poolId, 2);
  const [part] = await world.allocationsOf(loss?.id as string);
  expect(part).toMatchObject({
    fee: 0n,
    allocated: BigInt(loss?.result ?? 0),
    carry: -BigInt(loss?.result ?? 0),
  });
  expect((await progress()).events.map(({ event }) => event)).toEqual([
    'opened',
    'valued',
    'approve_valuation',
    'withdrawn',
    'checked',
    'trading_paused',
    'start',
  ]);

  // After a loss of 40% a pool with a circuit breaker at 40% does not trade on.
  const setBreaker = (max_drawdown_percentage: string | null) =>
    world.ask('PUT /api/pooled-accounts/{id}', { params: { id: poolId }, body: { max_drawdown_percentage } });
  expect((await setBreaker('40')).body.data.max_drawdown_percentage).toBe('40');
  expect((await world.act(poolId, { action: 'stop' })).body.error).toBe('circuit_breaker');
  expect((await world.pool(poolId)).current_harvest_cycle.step).toBe('open');
  const pointsLeft = async () => {
    const { body } = await world.ask('GET /api/attention', { query: { group: 'pools', limit: '200' } });
    return body.data.flatMap(({ kind, code }) => (kind === 'pool_near_breaker' ? code : []));
  };
  expect(await pointsLeft()).toEqual([]);
  // Whoever raises the limit, or removes it, does not let the pool trade on alone.
  for (const [limit, left] of [
    ['40.5', ['0.47']],
    [null, []],
  ] as const) {
    await setBreaker(limit);
    expect(await pointsLeft()).toEqual(left);
    expect((await world.act(poolId, { action: 'stop' })).body.error).toBe('circuit_breaker');
  }

  // Nor does another account of the same person, until an independent super admin has confirmed it.
  const [other] = await world.owner(
    `INSERT INTO identity.user_sponsor (user_id, sponsor_id, act, at)
     SELECT o.id, s.id, 'invited', now() FROM identity.person o, identity.person s
     WHERE o.email = 'super-2@demo.example' AND s.email = 'super@demo.example' RETURNING user_id AS id`,
  );
  const confirm = (at: string) =>
    world.owner(`UPDATE identity.user_access SET confirmed_at = ${at} WHERE user_id = $1`, [other?.id]);
  await confirm('NULL');
  expect((await world.act(poolId, { action: 'stop' }, world.other)).body.error).toBe('circuit_breaker');
  await confirm('now()');

  // A profit below the carry costs no fee.
  expect((await world.act(poolId, { action: 'stop' }, world.other)).status).toBe(200);
  await world.until(poolId, 'stopped');
  world.earn(uid, usdt(100));
  await harvest();
  await world.until(poolId, 'harvesting');
  const [profit] = await world.cyclesOf(poolId, 3);
  const [again] = await world.allocationsOf(profit?.id as string);
  expect(again?.fee).toBe(0n);
  expect(again?.carry).toBe((part?.carry ?? 0n) - BigInt(profit?.result ?? 0));
  expect(await world.differing()).toBe(0);
});
