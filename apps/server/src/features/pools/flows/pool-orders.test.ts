import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createPoolOrderWorld,
  type PoolOrderWorld,
} from '../../../../../../tests/support/world/pool-order-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import type { Config } from '../../../config.ts';
import { approveOrderAsOperator, describeWaitingOrders } from '../../../wiring/operator-orders.ts';

let world: PoolOrderWorld;
beforeAll(async () => {
  world = await createPoolOrderWorld({ accounts: 15 });
});
afterAll(() => world?.close());
beforeEach(() => world.beginDay());

/** A program of everybody's members. */
async function program(): Promise<string> {
  const providers = await world.owner<{ id: string }>('SELECT id FROM provider');
  const { body } = await world.ask('POST /api/service-tokens', {
    body: {
      name: 'Members',
      scopes: ['pool_requests'],
      provider_ids: providers.map(({ id }) => id),
    },
  });
  return (body as unknown as { data: { token: string } }).data.token;
}

/** A statement in the role of the API, which sees every row. */
async function asApi(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      "SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true)",
    );
    await client.query(statement);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

test('a withdrawal above the limit waits for another person and is paid after, exactly once', async () => {
  const { poolId, member } = await world.poolWith(1_000);
  const asked = await world.withdraw(poolId, member.id, '600');
  expect(asked).toMatchObject({ status: 202, body: { data: { state: 'awaiting_approval' } } });
  const { id, order_id: orderId } = asked.body.data;
  await world.rounds(3);
  expect(await world.paidTo(member.payoutAddress)).toBe(0n);
  expect(await world.requestOf(poolId, id)).toMatchObject({
    state: 'queued',
    waits_because: 'awaiting_approval',
    order_state: 'awaiting_approval',
  });
  const [order] = await world.listOrders(poolId);
  expect(order).toMatchObject({
    id: orderId,
    act: 'pool_withdrawals',
    needs: ['above_limit'],
    amount: '600',
    lines: [{ subject_id: id, to_address: member.payoutAddress, amount: '600' }],
    is_own: false,
    refusal: null,
  });
  expect((await world.approve(orderId as string, world.token)).body.error).toBe('own_approval');
  const both = await Promise.all([world.approve(orderId as string), world.approve(orderId as string)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await world.untilQuiet(poolId);
  expect(await world.paidTo(member.payoutAddress)).toBe(usdt(600));
});

test('everything above the largest payout is paid in parts, under one order', async () => {
  const { poolId, member } = await world.poolWith(1_000);
  const largest = {
    chain: { ...world.worker.chain, rules: { addressHoldHours: 24, maximumUnits: usdt(400) } },
  };
  const { order_id: orderId } = (await world.withdraw(poolId, member.id, 'all')).body.data;
  expect((await world.approve(orderId as string)).status).toBe(200);
  for (let round = 0; round < 20 && (await world.paidTo(member.payoutAddress)) < usdt(1_000); round += 1)
    await world.round(largest);
  await world.untilQuiet(poolId);
  expect(await world.paidTo(member.payoutAddress)).toBe(usdt(1_000));
  const { body } = await world.ask('GET /api/pooled-accounts/{id}/requests', {
    params: { id: poolId },
    query: { state: 'all' },
  });
  const parts = body.data.flatMap((request) =>
    request.kind === 'withdrawal' ? [[request.state, request.amount, request.is_part]] : [],
  );
  expect(parts.toSorted()).toEqual([
    ['paid', '200', true],
    ['paid', '400', false],
    ['paid', '400', true],
  ]);
  const transfers = await world.owner(
    `SELECT amount_units / 1000000000000000000 AS amount FROM transfer WHERE kind = 'pool_withdraw' AND to_address = $1`,
    [member.payoutAddress],
  );
  expect(transfers).toHaveLength(3);
});

test('the limit of a day counts withdrawals and distributions, of the person and of the community', async () => {
  const { poolId, member, community } = await world.poolWith(1_000);
  expect((await world.withdraw(poolId, member.id, '300')).status).toBe(201);
  // Another person in the same community, and the same person in another one.
  expect((await world.withdraw(poolId, member.id, '250', world.other)).status).toBe(202);
  const elsewhere = await world.poolWith(400);
  expect((await world.withdraw(elsewhere.poolId, elsewhere.member.id, '250')).status).toBe(202);
  await world.addPaid(community, 300);
  expect((await world.distribute(community.id)).body.data.needs_approval).toBe(true);
});

test('what the orderer set itself, or an account of its own did, another person has to see', async () => {
  const { poolId, member } = await world.poolWith(100);
  await world.owner(
    `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_at, changed_by_id, released_at,
       released_by_id, released_by)
     SELECT 'trader', id::text, external_wallet_address, now() - interval '30 days',
       (SELECT id::text FROM identity.person WHERE email = 'super@demo.example'), now(), 'upgrade', 'Upgrade'
     FROM trader WHERE id = $1`,
    [member.traderId],
  );
  const asked = await world.withdraw(poolId, member.id, '10');
  expect(asked.status).toBe(202);
  expect((await world.listOrders(poolId))[0]?.needs).toEqual(['own_address']);
  expect((await world.withdraw(poolId, member.id, '10', world.other)).status).toBe(201);
});

test('an approval binds the address that was seen: another one is ordered anew', async () => {
  const { poolId, member } = await world.poolWith(1_000);
  const { body } = await world.withdraw(poolId, member.id, '600');
  const { id, order_id: orderId } = body.data;
  const changed = `0x${'b7'.repeat(20)}`;
  await world.owner('UPDATE trader SET external_wallet_address = $2 WHERE id = $1', [
    member.traderId,
    changed,
  ]);
  const refused = await world.approve(orderId as string);
  expect(refused.body).toMatchObject({
    error: 'order_changed',
    message: expect.stringContaining('the address of'),
  });
  expect((await world.decline(orderId as string)).status).toBe(200);
  expect((await world.requestOf(poolId, id))?.state).toBe('cancelled');
  expect((await world.decline(orderId as string)).body.error).toBe('order_decided');
  const again = await world.withdraw(poolId, member.id, '600');
  await world.approve(again.body.data.order_id as string);
  await world.untilQuiet(poolId);
  expect(await world.paidTo(changed)).toBe(usdt(600));
  expect(await world.paidTo(member.payoutAddress)).toBe(0n);
});

test('an address that changes after the approval is not paid before somebody orders it again', async () => {
  const { poolId, member } = await world.poolWith(1_000);
  const { id, order_id: orderId } = (await world.withdraw(poolId, member.id, '600')).body.data;
  await world.approve(orderId as string);
  const changed = `0x${'b8'.repeat(20)}`;
  await world.owner('UPDATE trader SET external_wallet_address = $2 WHERE id = $1', [
    member.traderId,
    changed,
  ]);
  await world.rounds(3);
  expect(await world.requestOf(poolId, id)).toMatchObject({
    state: 'queued',
    waits_because: 'waits_for_operator',
  });
  expect([await world.paidTo(changed), await world.paidTo(member.payoutAddress)]).toEqual([0n, 0n]);
  const confirm = (as: string) =>
    world.ask(
      'POST /api/pooled-accounts/{id}/withdrawals/confirm',
      { params: { id: poolId }, body: { withdrawal_ids: [id] } },
      {},
      as,
    );
  const confirmed = await confirm(world.token);
  expect(confirmed.status).toBe(202);
  expect((await confirm(world.other)).body.error).toBe('order_waits');
  await world.approve(confirmed.body.data.order_id as string);
  await world.untilQuiet(poolId);
  expect(await world.paidTo(changed)).toBe(usdt(600));
});

test('everything is what the member had when it was ordered, with results, and without later deposits', async () => {
  const pool = await world.poolWith(600);
  const { poolId, member } = pool;
  const { id, order_id: orderId } = (await world.withdraw(poolId, member.id, 'all')).body.data;
  await world.payIn(pool, member, 2_000);
  await world.approve(orderId as string);
  await world.rounds(3);
  expect(await world.requestOf(poolId, id)).toMatchObject({
    state: 'queued',
    waits_because: 'waits_for_operator',
  });
  expect(await world.paidTo(member.payoutAddress)).toBe(0n);
});

test('what a program asks for waits for an operator, who confirms several as one order', async () => {
  const { poolId, member } = await world.poolWith(400);
  const service = await program();
  const ids: string[] = [];
  for (const amount of ['10', '20']) {
    const asked = await world.withdraw(poolId, member.id, amount, service);
    expect(asked).toMatchObject({ status: 201, body: { data: { state: 'done', order_id: null } } });
    ids.push(asked.body.data.id);
  }
  await world.rounds(3);
  expect(await world.requestOf(poolId, ids[0] as string)).toMatchObject({
    waits_because: 'waits_for_operator',
  });
  const confirmed = await world.ask('POST /api/pooled-accounts/{id}/withdrawals/confirm', {
    params: { id: poolId },
    body: { withdrawal_ids: ids },
  });
  expect(confirmed).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
  await world.untilQuiet(poolId);
  expect(await world.paidTo(member.payoutAddress)).toBe(usdt(30));
});

test("within the worker's limits of a day a program alone may have an old address paid", async () => {
  const { poolId, member } = await world.poolWith(400);
  const service = await program();
  await world.owner(`UPDATE trader SET created_at = now() - interval '8 days' WHERE id = $1`, [
    member.traderId,
  ]);
  for (const amount of ['60', '30', '50']) await world.withdraw(poolId, member.id, amount, service);
  const chain = { ...world.worker.chain, tokenLimits: { perMemberDay: usdt(100), perPoolDay: usdt(1_000) } };
  for (let round = 0; round < 5; round += 1) await world.round({ chain });
  expect(await world.paidTo(member.payoutAddress)).toBe(usdt(90));
});

test('an order that its author alone decided ends with the author; one that another approved goes on', async () => {
  const { poolId, member } = await world.poolWith(1_000);
  await world.act(poolId, { action: 'close_gate' });
  const alone = (await world.withdraw(poolId, member.id, '10', world.other)).body.data;
  const approved = (await world.withdraw(poolId, member.id, '700', world.other)).body.data;
  expect((await world.approve(approved.order_id as string, world.token)).status).toBe(200);
  const waiting = (await world.withdraw(poolId, member.id, '50', world.other)).body.data;
  const setDisabled = (at: string) =>
    world.owner(`UPDATE identity.user_access SET disabled_at = ${at} WHERE user_id =
      (SELECT id FROM identity.person WHERE email = 'super-2@demo.example')`);
  await setDisabled('now()');
  try {
    expect((await world.approve(waiting.order_id as string, world.token)).body.error).toBe(
      'requester_inactive',
    );
    await world.owner(
      `UPDATE harvest_cycle SET step = 'open' WHERE pooled_account_id = $1 AND ended_at IS NULL`,
      [poolId],
    );
    for (let round = 0; round < 10; round += 1) {
      await world.round();
      if ((await world.requestOf(poolId, approved.id))?.state === 'paid') break;
    }
    expect((await world.requestOf(poolId, approved.id))?.state).toBe('paid');
    expect(await world.requestOf(poolId, alone.id)).toMatchObject({
      state: 'queued',
      waits_because: 'waits_for_operator',
    });
  } finally {
    await setDisabled('NULL');
  }
});

test('a return above the limit waits, and its deposit is not collected meanwhile', async () => {
  const { poolId, member } = await world.poolWith(100);
  await world.act(poolId, { action: 'close_gate' });
  await world.chain.pay(member.address, usdt(600));
  await world.chain.finalize();
  await world.readChain();
  const [deposit] = await world.owner<{ id: string }>(
    `SELECT id FROM pool_deposit WHERE member_id = $1 AND state = 'queued'`,
    [member.id],
  );
  const depositId = deposit?.id as string;
  const giveBack = (as = world.token) =>
    world.ask(
      'POST /api/pooled-accounts/{id}/deposits/{depositId}/return',
      { params: { id: poolId, depositId } },
      {},
      as,
    );
  const service = await program();
  expect((await giveBack(service)).body.error).toBe('person_required');
  const asked = await giveBack();
  expect(asked).toMatchObject({ status: 202, body: { data: { state: 'awaiting_approval' } } });
  expect((await giveBack(world.other)).body.error).toBe('order_waits');
  await world.owner(
    `UPDATE harvest_cycle SET step = 'open' WHERE pooled_account_id = $1 AND ended_at IS NULL`,
    [poolId],
  );
  await world.rounds(3);
  expect((await world.requestOf(poolId, depositId))?.state).toBe('queued');
  expect((await world.approve(asked.body.data.order_id as string)).status).toBe(200);
  await world.untilQuiet(poolId);
  expect(await world.paidTo(member.payoutAddress)).toBe(usdt(600));
});

test('the address of funding takes two people and its waiting time, the first one too', async () => {
  const { poolId } = await world.poolWith(10);
  const address = `0x${'c5'.repeat(20)}`;
  await world.owner(
    'UPDATE pooled_account SET bybit_deposit_address = NULL, bybit_deposit_address_from = NULL WHERE id = $1',
    [poolId],
  );
  const put = (value: string) =>
    world.ask('PUT /api/pooled-accounts/{id}/deposit-address', {
      params: { id: poolId },
      body: { address: value },
    });
  const asked = await put(address);
  expect(asked).toMatchObject({ status: 202, body: { data: { state: 'awaiting_approval' } } });
  const stored = () =>
    world.owner(
      `SELECT bybit_deposit_address AS address, bybit_deposit_address_from > now() + interval '23 hours' AS waits
       FROM pooled_account WHERE id = $1`,
      [poolId],
    );
  expect(await stored()).toEqual([{ address: null, waits: null }]);
  expect((await put(`0x${'c6'.repeat(20)}`)).body.error).toBe('order_waits');
  expect((await world.approve(asked.body.data.order_id as string, world.token)).body.error).toBe(
    'own_approval',
  );
  expect((await world.approve(asked.body.data.order_id as string)).status).toBe(200);
  expect(await stored()).toEqual([{ address, waits: true }]);
});

test('where no second super admin can, the command on the server approves', async () => {
  const { poolId, member } = await world.poolWith(1_000);
  const { order_id: id } = (await world.withdraw(poolId, member.id, '600')).body.data;
  const lines = await describeWaitingOrders(world.db, () => new Date());
  expect(lines.join('\n')).toContain(`${id}\tpool_withdrawals`);
  const chain = { chainId: 56, tokenAddress: world.chain.token.address } as Config['chain'];
  const order = { id: id as string, now: () => new Date() };
  await approveOrderAsOperator(world.operatorDb, { chain }, SETTING_DEFAULTS, order);
  await world.untilQuiet(poolId);
  expect(await world.paidTo(member.payoutAddress)).toBe(usdt(600));
  await expect(approveOrderAsOperator(world.operatorDb, { chain }, SETTING_DEFAULTS, order)).rejects.toThrow(
    /decided/,
  );
});

test("the API's role neither approves an order alone, nor backdates one, nor points funding elsewhere", async () => {
  const { poolId, community } = await world.poolWith(10);
  const order = (act: string, needs: string, rest = `'awaiting_approval'`) =>
    `INSERT INTO money_order (act, needs, state, community_id, pooled_account_id, amount_units, facts, requested_by_id,
       requested_by) VALUES ('${act}', ${needs}, ${rest}, '${community.id}', '${poolId}', 0, '{}', 'me', 'me') RETURNING id`;
  const [me] = await world.owner<{ id: string }>(
    `SELECT id::text FROM identity.person WHERE email = 'super@demo.example'`,
  );
  for (const statement of [
    order('pool_funding_address', `'{}'`, `'approved'`),
    order('pool_funding_address', `'{always}'`, `'approved'`),
    `WITH o AS (${order('pool_withdrawals', `'{above_limit}'`).replace(`'me', 'me'`, `'${me?.id}', 'me'`)})
       SELECT FROM o; UPDATE money_order SET state = 'approved', decided_at = now(), decided_by_id = '${me?.id}',
       decided_by = 'me' WHERE requested_by_id = '${me?.id}' AND state = 'awaiting_approval'`,
    `UPDATE money_order SET amount_units = 1`,
    `UPDATE money_order SET requested_at = now() - interval '2 days'`,
    `DELETE FROM money_order`,
    `INSERT INTO money_order_line (order_id, place, subject_id, label) SELECT id, 99, id, 'x' FROM money_order LIMIT 1`,
    `UPDATE money_order_line SET to_address = '0x${'c7'.repeat(20)}'`,
    `UPDATE pooled_account SET bybit_deposit_address = '0x${'c7'.repeat(20)}' WHERE id = '${poolId}'`,
    `UPDATE pooled_account SET is_approved = true WHERE id = '${poolId}'`,
  ])
    await expect(asApi(statement), statement).rejects.toThrow();
  const [backdated] = await world.owner<{ id: string }>('SELECT gen_random_uuid() AS id');
  await asApi(
    `INSERT INTO money_order (id, act, needs, state, amount_units, facts, requested_by_id, requested_by, requested_at)
     VALUES ('${backdated?.id}', 'pool_withdrawals', '{above_limit}', 'awaiting_approval', 1, '{}', 'me', 'me',
       now() - interval '2 days')`,
  );
  expect(
    await world.owner(
      `SELECT requested_at > now() - interval '1 hour' AS is_now FROM money_order WHERE id = $1`,
      [backdated?.id],
    ),
  ).toEqual([{ is_now: true }]);
});
