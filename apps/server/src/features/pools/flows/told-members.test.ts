import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createPoolOrderWorld,
  type PoolOrderWorld,
} from '../../../../../../tests/support/world/pool-order-world.ts';
import { tellMembers } from './tell-members.ts';

let world: PoolOrderWorld;
beforeAll(async () => {
  world = await createPoolOrderWorld({ accounts: 4 });
});
afterAll(() => world?.close());
beforeEach(() => world.beginDay());

test('a member is told of a changed wallet and of an ordered withdrawal, once, before it is paid', async () => {
  const { poolId, member } = await world.poolWith(1_000);
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
  const asked = await world.withdraw(poolId, member.id, '600');
  expect(asked.status).toBe(202);
  expect(await told()).toEqual([]);
  await world.approve(asked.body.data.order_id as string);
  const everything = await world.withdraw(poolId, member.id, 'all');
  expect((await world.approve(everything.body.data.order_id as string)).status).toBe(200);
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
  const { poolId, member } = await world.poolWith(500);
  const { noticeMinutes: _, ...chain } = world.worker.chain;
  const waits = async (id: string) => {
    for (let round = 0; round < 3; round += 1) await world.round({ chain });
    return world.requestOf(poolId, id);
  };
  const paid = async (id: string) => {
    for (let round = 0; round < 8; round += 1) await world.round({ chain });
    return (await world.requestOf(poolId, id))?.state;
  };
  const first = (await world.withdraw(poolId, member.id, '50')).body.data.id as string;
  expect(await waits(first)).toMatchObject({ state: 'queued', waits_because: 'member_not_told' });
  while (await tellMembers(world));
  expect(await waits(first)).toMatchObject({ state: 'queued', waits_because: 'member_not_told' });
  await world.owner(`UPDATE message SET state = 'sent', sent_at = now() WHERE dedupe_key = $1`, [
    `withdrawal_ordered:${first}`,
  ]);
  expect(await paid(first)).toBe('paid');

  const second = (await world.withdraw(poolId, member.id, '40')).body.data.id as string;
  expect(await waits(second)).toMatchObject({ waits_because: 'member_not_told' });
  await world.owner(
    `UPDATE money_order o SET requested_at = o.requested_at - interval '11 minutes'
     FROM pool_withdrawal w WHERE w.order_id = o.id AND w.id = $1`,
    [second],
  );
  expect(await paid(second)).toBe('paid');
});

test('while payments are stopped, open requests say that they wait for that', async () => {
  const { poolId, member } = await world.poolWith(200);
  const { id } = (await world.withdraw(poolId, member.id, '50')).body.data;
  expect(await world.requestOf(poolId, id)).toMatchObject({ waits_for_stop: false });
  expect((await world.ask('POST /api/payments/stop', { body: { reason: 'A test' } })).status).toBe(200);
  try {
    expect(await world.requestOf(poolId, id)).toMatchObject({ state: 'queued', waits_for_stop: true });
  } finally {
    await world.owner("SELECT app.resume_payments('over', 'test', 'Test')");
  }
  await world.untilQuiet(poolId);
  expect(await world.requestOf(poolId, id)).toMatchObject({ state: 'paid', waits_for_stop: false });
});

test('a withdrawal without an address asks its member for one, once; a refusal is told to it, and shown', async () => {
  const { poolId, member } = await world.poolWith(300);
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
  const { id } = (await world.withdraw(poolId, member.id, '50')).body.data;
  // Before the pool takes it up.
  expect(await world.requestOf(poolId, id)).toMatchObject({
    state: 'queued',
    waits_because: 'no_payout_address',
  });
  const [asked] = await told();
  expect(asked).toMatchObject({ kind: 'withdrawal_needs_address', language: 'es' });
  expect(asked?.text).toContain('ninguna dirección de pago');
  await world.withdraw(poolId, member.id, '60');
  await world.rounds(2);
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
  const tooMuch = (await world.withdraw(poolId, member.id, '301')).body.data.id as string;
  // The pool takes up what waits when it is due, not in each round.
  for (let round = 0; round < 200 && (await world.requestOf(poolId, tooMuch))?.state === 'queued'; round += 1)
    await world.rounds(1);
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
