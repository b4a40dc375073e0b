import type { Order } from '@copydesk/contract/transfers';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import { createPoolWorld, type WorldMember } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import type { Config } from '../../../config.ts';
import { approveOrderAsOperator, describeWaitingOrders } from '../../../wiring/operator-orders.ts';
import { tellMembers } from './tell-members.ts';

let world: Awaited<ReturnType<typeof createPoolWorld>>;
let nth = 0;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 13, env: { APPROVAL_ABOVE_USDT: '500' } });
});
afterAll(() => world?.close());
// The sums of a day begin anew with each test.
beforeEach(async () => {
  await world.rest();
  await world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`);
  await world.owner(`UPDATE payout SET ordered_at = ordered_at - interval '2 days'`);
});

type Pool = Awaited<ReturnType<typeof world.addOpenPool>>;

/** An open pool with one member, whose capital is in the proxy wallet. */
async function poolWith(amount: number): Promise<Pool & { member: WorldMember }> {
  nth += 1;
  const pool = await world.addOpenPool({ account: nth, members: 1 });
  const member = pool.members[0] as WorldMember;
  await payIn(pool, member, amount);
  return { ...pool, member };
}

async function payIn({ poolId }: Pool, member: WorldMember, amount: number): Promise<void> {
  const before = Number((await world.pool(poolId)).total_virtual_balance);
  await world.chain.pay(member.address, usdt(amount));
  await world.chain.finalize();
  for (let round = 0; round < 20; round += 1) {
    await world.round();
    if (Number((await world.pool(poolId)).total_virtual_balance) === before + amount) return;
  }
  throw new Error('the deposit is not admitted');
}

const withdraw = (poolId: string, memberId: string, amount: string, as = world.token) =>
  world.ask(
    'POST /api/pooled-accounts/{id}/withdrawals',
    { params: { id: poolId }, body: { member_id: memberId, amount } },
    {},
    as,
  );
const listOrders = async (poolId: string, as = world.other): Promise<Order[]> =>
  (await world.ask('GET /api/orders', { query: { pool_id: poolId } }, {}, as)).body.data;
const approve = (id: string, as = world.other) =>
  world.ask('POST /api/orders/{id}/approve', { params: { id } }, {}, as);
const decline = (id: string, as = world.other) =>
  world.ask('POST /api/orders/{id}/decline', { params: { id } }, {}, as);
const requestOf = async (poolId: string, id: string) => {
  const { body } = await world.ask('GET /api/pooled-accounts/{id}/requests', {
    params: { id: poolId },
    query: { state: 'all' },
  });
  return body.data.find((request) => request.id === id);
};
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await world.round();
}
const paidTo = (address: string) => world.chain.token.balanceOf(address as `0x${string}`);

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
  const { poolId, member } = await poolWith(1_000);
  const asked = await withdraw(poolId, member.id, '600');
  expect(asked).toMatchObject({ status: 202, body: { data: { state: 'awaiting_approval' } } });
  const { id, order_id: orderId } = asked.body.data;
  await rounds(3);
  expect(await paidTo(member.payoutAddress)).toBe(0n);
  expect(await requestOf(poolId, id)).toMatchObject({
    state: 'queued',
    waits_because: 'awaiting_approval',
    order_state: 'awaiting_approval',
  });
  const [order] = await listOrders(poolId);
  expect(order).toMatchObject({
    id: orderId,
    act: 'pool_withdrawals',
    needs: ['above_limit'],
    amount: '600',
    lines: [{ subject_id: id, to_address: member.payoutAddress, amount: '600' }],
    is_own: false,
    refusal: null,
  });
  expect((await approve(orderId as string, world.token)).body.error).toBe('own_approval');
  const both = await Promise.all([approve(orderId as string), approve(orderId as string)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await world.untilQuiet(poolId);
  expect(await paidTo(member.payoutAddress)).toBe(usdt(600));
});

test('everything above the largest payout is paid in parts, under one order', async () => {
  const { poolId, member } = await poolWith(1_000);
  const largest = {
    chain: { ...world.worker.chain, rules: { addressHoldHours: 24, maximumUnits: usdt(400) } },
  };
  const { order_id: orderId } = (await withdraw(poolId, member.id, 'all')).body.data;
  expect((await approve(orderId as string)).status).toBe(200);
  for (let round = 0; round < 20 && (await paidTo(member.payoutAddress)) < usdt(1_000); round += 1)
    await world.round(largest);
  await world.untilQuiet(poolId);
  expect(await paidTo(member.payoutAddress)).toBe(usdt(1_000));
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
  const { poolId, member, community } = await poolWith(1_000);
  expect((await withdraw(poolId, member.id, '300')).status).toBe(201);
  // Another person in the same community, and the same person in another one.
  expect((await withdraw(poolId, member.id, '250', world.other)).status).toBe(202);
  const elsewhere = await poolWith(400);
  expect((await withdraw(elsewhere.poolId, elsewhere.member.id, '250')).status).toBe(202);
  await world.addPaid(community, 300);
  expect((await world.distribute(community.id)).body.data.needs_approval).toBe(true);
});

test('what the orderer set itself, or an account of its own did, another person has to see', async () => {
  const { poolId, member } = await poolWith(100);
  await world.owner(
    `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_at, changed_by_id, released_at,
       released_by_id, released_by)
     SELECT 'trader', id::text, external_wallet_address, now() - interval '30 days',
       (SELECT id::text FROM identity.person WHERE email = 'super@demo.example'), now(), 'upgrade', 'Upgrade'
     FROM trader WHERE id = $1`,
    [member.traderId],
  );
  const asked = await withdraw(poolId, member.id, '10');
  expect(asked.status).toBe(202);
  expect((await listOrders(poolId))[0]?.needs).toEqual(['own_address']);
  expect((await withdraw(poolId, member.id, '10', world.other)).status).toBe(201);
});

test('an approval binds the address that was seen: another one is ordered anew', async () => {
  const { poolId, member } = await poolWith(1_000);
  const { body } = await withdraw(poolId, member.id, '600');
  const { id, order_id: orderId } = body.data;
  const changed = `0x${'b7'.repeat(20)}`;
  await world.owner('UPDATE trader SET external_wallet_address = $2 WHERE id = $1', [
    member.traderId,
    changed,
  ]);
  const refused = await approve(orderId as string);
  expect(refused.body).toMatchObject({
    error: 'order_changed',
    message: expect.stringContaining('the address of'),
  });
  expect((await decline(orderId as string)).status).toBe(200);
  expect((await requestOf(poolId, id))?.state).toBe('cancelled');
  expect((await decline(orderId as string)).body.error).toBe('order_decided');
  const again = await withdraw(poolId, member.id, '600');
  await approve(again.body.data.order_id as string);
  await world.untilQuiet(poolId);
  expect(await paidTo(changed)).toBe(usdt(600));
  expect(await paidTo(member.payoutAddress)).toBe(0n);
});

test('an address that changes after the approval is not paid before somebody orders it again', async () => {
  const { poolId, member } = await poolWith(1_000);
  const { id, order_id: orderId } = (await withdraw(poolId, member.id, '600')).body.data;
  await approve(orderId as string);
  const changed = `0x${'b8'.repeat(20)}`;
  await world.owner('UPDATE trader SET external_wallet_address = $2 WHERE id = $1', [
    member.traderId,
    changed,
  ]);
  await rounds(3);
  expect(await requestOf(poolId, id)).toMatchObject({ state: 'queued', waits_because: 'waits_for_operator' });
  expect([await paidTo(changed), await paidTo(member.payoutAddress)]).toEqual([0n, 0n]);
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
  await approve(confirmed.body.data.order_id as string);
  await world.untilQuiet(poolId);
  expect(await paidTo(changed)).toBe(usdt(600));
});

test('everything is what the member had when it was ordered, with results, and without later deposits', async () => {
  const pool = await poolWith(600);
  const { poolId, member } = pool;
  const { id, order_id: orderId } = (await withdraw(poolId, member.id, 'all')).body.data;
  await payIn(pool, member, 2_000);
  await approve(orderId as string);
  await rounds(3);
  expect(await requestOf(poolId, id)).toMatchObject({ state: 'queued', waits_because: 'waits_for_operator' });
  expect(await paidTo(member.payoutAddress)).toBe(0n);
});

test('what a program asks for waits for an operator, who confirms several as one order', async () => {
  const { poolId, member } = await poolWith(400);
  const service = await program();
  const ids: string[] = [];
  for (const amount of ['10', '20']) {
    const asked = await withdraw(poolId, member.id, amount, service);
    expect(asked).toMatchObject({ status: 201, body: { data: { state: 'done', order_id: null } } });
    ids.push(asked.body.data.id);
  }
  await rounds(3);
  expect(await requestOf(poolId, ids[0] as string)).toMatchObject({ waits_because: 'waits_for_operator' });
  const confirmed = await world.ask('POST /api/pooled-accounts/{id}/withdrawals/confirm', {
    params: { id: poolId },
    body: { withdrawal_ids: ids },
  });
  expect(confirmed).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
  await world.untilQuiet(poolId);
  expect(await paidTo(member.payoutAddress)).toBe(usdt(30));
});

test("within the worker's limits of a day a program alone may have an old address paid", async () => {
  const { poolId, member } = await poolWith(400);
  const service = await program();
  await world.owner(`UPDATE trader SET created_at = now() - interval '8 days' WHERE id = $1`, [
    member.traderId,
  ]);
  for (const amount of ['60', '30', '50']) await withdraw(poolId, member.id, amount, service);
  const chain = { ...world.worker.chain, tokenLimits: { perMemberDay: usdt(100), perPoolDay: usdt(1_000) } };
  for (let round = 0; round < 5; round += 1) await world.round({ chain });
  expect(await paidTo(member.payoutAddress)).toBe(usdt(90));
});

test('an order that its author alone decided ends with the author; one that another approved goes on', async () => {
  const { poolId, member } = await poolWith(1_000);
  await world.act(poolId, { action: 'close_gate' });
  const alone = (await withdraw(poolId, member.id, '10', world.other)).body.data;
  const approved = (await withdraw(poolId, member.id, '700', world.other)).body.data;
  expect((await approve(approved.order_id as string, world.token)).status).toBe(200);
  const waiting = (await withdraw(poolId, member.id, '50', world.other)).body.data;
  const setDisabled = (at: string) =>
    world.owner(`UPDATE identity.user_access SET disabled_at = ${at} WHERE user_id =
      (SELECT id FROM identity.person WHERE email = 'super-2@demo.example')`);
  await setDisabled('now()');
  try {
    expect((await approve(waiting.order_id as string, world.token)).body.error).toBe('requester_inactive');
    await world.owner(
      `UPDATE harvest_cycle SET step = 'open' WHERE pooled_account_id = $1 AND ended_at IS NULL`,
      [poolId],
    );
    await rounds(5);
    expect((await requestOf(poolId, approved.id))?.state).toBe('paid');
    expect(await requestOf(poolId, alone.id)).toMatchObject({
      state: 'queued',
      waits_because: 'waits_for_operator',
    });
  } finally {
    await setDisabled('NULL');
  }
});

test('a return above the limit waits, and its deposit is not collected meanwhile', async () => {
  const { poolId, member } = await poolWith(100);
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
  await rounds(3);
  expect((await requestOf(poolId, depositId))?.state).toBe('queued');
  expect((await approve(asked.body.data.order_id as string)).status).toBe(200);
  await world.untilQuiet(poolId);
  expect(await paidTo(member.payoutAddress)).toBe(usdt(600));
});

test('the address of funding takes two people and its waiting time, the first one too', async () => {
  const { poolId } = await poolWith(10);
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
  expect((await approve(asked.body.data.order_id as string, world.token)).body.error).toBe('own_approval');
  expect((await approve(asked.body.data.order_id as string)).status).toBe(200);
  expect(await stored()).toEqual([{ address, waits: true }]);
});

test('where no second super admin can, the command on the server approves', async () => {
  const { poolId, member } = await poolWith(1_000);
  const { order_id: id } = (await withdraw(poolId, member.id, '600')).body.data;
  const lines = await describeWaitingOrders(world.db, () => new Date());
  expect(lines.join('\n')).toContain(`${id}\tpool_withdrawals`);
  const chain = { chainId: 56, tokenAddress: world.chain.token.address } as Config['chain'];
  const order = { id: id as string, now: () => new Date() };
  await approveOrderAsOperator(world.operatorDb, { chain }, SETTING_DEFAULTS, order);
  await world.untilQuiet(poolId);
  expect(await paidTo(member.payoutAddress)).toBe(usdt(600));
  await expect(approveOrderAsOperator(world.operatorDb, { chain }, SETTING_DEFAULTS, order)).rejects.toThrow(
    /decided/,
  );
});

test("the API's role neither approves an order alone, nor backdates one, nor points funding elsewhere", async () => {
  const { poolId, community } = await poolWith(10);
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

test('a member is told of a changed wallet and of an ordered withdrawal, once, before it is paid', async () => {
  const { poolId, member } = await poolWith(1_000);
  const told = async () => {
    while (await tellMembers(world));
    return world.owner<{ kind: string; text: string; paid: boolean }>(
      `SELECT m.kind, m.text, EXISTS (SELECT FROM pool_withdrawal w WHERE m.dedupe_key = 'withdrawal_ordered:' || w.id
         AND w.state = 'paid') AS paid FROM message m
       WHERE m.trader_id = $1 AND m.kind IN ('wallet_changed', 'withdrawal_ordered') ORDER BY m.created_at`,
      [member.traderId],
    );
  };
  // What waits for another super admin is not ordered yet.
  const asked = await withdraw(poolId, member.id, '600');
  expect(asked.status).toBe(202);
  expect(await told()).toEqual([]);
  await approve(asked.body.data.order_id as string);
  const everything = await withdraw(poolId, member.id, 'all');
  expect((await approve(everything.body.data.order_id as string)).status).toBe(200);
  const ends = [member.payoutAddress.slice(0, 6), member.payoutAddress.slice(-4)];
  const first = await told();
  expect(first.map(({ kind, paid }) => [kind, paid])).toEqual([
    ['withdrawal_ordered', false],
    ['withdrawal_ordered', false],
  ]);
  expect(first[0]?.text).toContain('600.00');
  for (const part of ends) expect(first[0]?.text).toContain(part);
  expect(first[0]?.text).not.toContain(member.payoutAddress);

  const changed = newAddress();
  const answer = await world.ask('PATCH /api/traders/{id}', {
    params: { id: member.traderId },
    body: { external_wallet_address: changed },
  });
  expect(answer.status).toBe(200);
  const all = await told();
  expect(all.map(({ kind }) => kind)).toEqual(['withdrawal_ordered', 'withdrawal_ordered', 'wallet_changed']);
  expect(all[2]?.text).toContain(changed.slice(-4));
  expect(await told()).toHaveLength(3);
});

test('a withdrawal is paid once its member was told, and after ten minutes where no message goes out', async () => {
  const { poolId, member } = await poolWith(500);
  const { noticeMinutes: _, ...chain } = world.worker.chain;
  const waits = async (id: string) => {
    for (let round = 0; round < 3; round += 1) await world.round({ chain });
    return requestOf(poolId, id);
  };
  const paid = async (id: string) => {
    for (let round = 0; round < 8; round += 1) await world.round({ chain });
    return (await requestOf(poolId, id))?.state;
  };
  const first = (await withdraw(poolId, member.id, '50')).body.data.id as string;
  expect(await waits(first)).toMatchObject({ state: 'queued', waits_because: 'member_not_told' });
  while (await tellMembers(world));
  expect(await waits(first)).toMatchObject({ state: 'queued', waits_because: 'member_not_told' });
  await world.owner(`UPDATE message SET state = 'sent', sent_at = now() WHERE dedupe_key = $1`, [
    `withdrawal_ordered:${first}`,
  ]);
  expect(await paid(first)).toBe('paid');

  const second = (await withdraw(poolId, member.id, '40')).body.data.id as string;
  expect(await waits(second)).toMatchObject({ waits_because: 'member_not_told' });
  await world.owner(
    `UPDATE money_order o SET requested_at = o.requested_at - interval '11 minutes'
     FROM pool_withdrawal w WHERE w.order_id = o.id AND w.id = $1`,
    [second],
  );
  expect(await paid(second)).toBe('paid');
});

test('while payments are stopped, open requests say that they wait for that', async () => {
  const { poolId, member } = await poolWith(200);
  const { id } = (await withdraw(poolId, member.id, '50')).body.data;
  expect(await requestOf(poolId, id)).toMatchObject({ waits_for_stop: false });
  expect((await world.ask('POST /api/payments/stop', { body: { reason: 'A test' } })).status).toBe(200);
  try {
    expect(await requestOf(poolId, id)).toMatchObject({ state: 'queued', waits_for_stop: true });
  } finally {
    await world.owner("SELECT app.resume_payments('over', 'test', 'Test')");
  }
  await world.untilQuiet(poolId);
  expect(await requestOf(poolId, id)).toMatchObject({ state: 'paid', waits_for_stop: false });
});

test('a withdrawal without an address asks its member for one, once; a refusal is told to it, and shown', async () => {
  const { poolId, member } = await poolWith(300);
  await world.owner(`UPDATE trader SET external_wallet_address = NULL, language = 'es' WHERE id = $1`, [
    member.traderId,
  ]);
  const told = async () => {
    while (await tellMembers(world));
    return world.owner<{ kind: string; text: string; language: string }>(
      `SELECT kind, text, language FROM message WHERE trader_id = $1
         AND kind IN ('withdrawal_needs_address', 'withdrawal_refused') ORDER BY created_at`,
      [member.traderId],
    );
  };
  const { id } = (await withdraw(poolId, member.id, '50')).body.data;
  // Before the pool takes it up.
  expect(await requestOf(poolId, id)).toMatchObject({ state: 'queued', waits_because: 'no_payout_address' });
  const [asked] = await told();
  expect(asked).toMatchObject({ kind: 'withdrawal_needs_address', language: 'es' });
  expect(asked?.text).toContain('ninguna dirección de pago');
  await withdraw(poolId, member.id, '60');
  await rounds(2);
  expect(await told()).toHaveLength(1);
  const members = await world.ask('GET /api/pooled-accounts/{id}/traders', {
    params: { id: poolId },
    query: {},
  });
  expect(members.body.data).toMatchObject([{ id: member.id, payout_address: null }]);

  await world.owner(`UPDATE trader SET external_wallet_address = $2 WHERE id = $1`, [
    member.traderId,
    member.payoutAddress,
  ]);
  const tooMuch = (await withdraw(poolId, member.id, '301')).body.data.id as string;
  // The pool takes up what waits when it is due, not in each round.
  for (let round = 0; round < 200 && (await requestOf(poolId, tooMuch))?.state === 'queued'; round += 1)
    await rounds(1);
  const { body } = await world.ask('GET /api/pooled-accounts/{id}/requests', {
    params: { id: poolId },
    query: {},
  });
  const refused = body.data.find((request) => request.id === tooMuch);
  expect(refused).toMatchObject({ state: 'refused', refusal: 'amount_above_capital' });
  const available = refused?.kind === 'withdrawal' ? refused.available : null;
  const transactions = await world.ask('GET /api/pooled-accounts/{id}/transactions', {
    params: { id: poolId },
    query: {},
  });
  expect(transactions.body.data.find((each) => each.id === tooMuch)).toMatchObject({
    status: 'refused',
    refusal: 'amount_above_capital',
    available,
  });
  expect((await told()).slice(1)).toMatchObject([{ kind: 'withdrawal_refused', language: 'es' }]);
  expect((await told())[1]?.text).toContain('301.00');
});
