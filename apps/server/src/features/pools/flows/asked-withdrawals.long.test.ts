import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFlowWorld, type FlowWorld } from '../../../../../../tests/support/world/flow-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: FlowWorld;
beforeAll(async () => {
  world = await createFlowWorld({ accounts: 5 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

const address = (text: string | undefined) => text as `0x${string}`;

test('a payout address that was just changed keeps a withdrawal in the queue, with the reason', async () => {
  const pool = await world.addFilledPool([300]);
  await world.owner(
    `INSERT INTO payout_address_change (owner_kind, owner_id, changed_by_id) VALUES ('trader', $1, 'a')`,
    [pool.members[0]?.traderId],
  );
  await world.request(pool, 0, 'all');
  await world.round();
  expect(await world.withdrawalsOf(pool)).toMatchObject([
    { state: 'queued', waits_because: 'address_held', attempt: 0, reserved: null },
  ]);
  await world.owner(
    `UPDATE payout_address_change SET released_at = now(), released_by_id = 'b', released_by = 'B',
       changed_at = now() - interval '25 hours' WHERE owner_id = $1`,
    [pool.members[0]?.traderId],
  );
  await world.untilQuiet(pool.poolId);
  expect(await world.withdrawalsOf(pool)).toMatchObject([{ state: 'paid', waits_because: null }]);
  expect(await world.booksOf(pool.poolId)).toEqual({});
});

test("the word of its owner releases a changed address for the worker too, after the waiting time; 'not me' does not", async () => {
  const pool = await world.addFilledPool([300, 300]);
  await world.owner(`INSERT INTO platform_bot_reading (telegram_id, counts_from) VALUES (1, now())`);
  for (const [nth, kind] of ['confirmed', 'not_me'].entries()) {
    const { traderId } = pool.members[nth] as (typeof pool.members)[number];
    await world.owner(
      `UPDATE trader SET telegram_user_id = $2, telegram_set_at = now() - interval '31 days' WHERE id = $1`,
      [traderId, String(700 + nth)],
    );
    await world.owner(
      `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
       SELECT 'trader', id, external_wallet_address, 'a' FROM trader WHERE id = $1`,
      [traderId],
    );
    await world.owner(
      `SET LOCAL ROLE copydesk_worker; SELECT set_config('copydesk.scope', 'all', true);
       INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
       SELECT id, '${kind}', '${traderId}', address, 1, ${nth}, ${700 + nth} FROM payout_address_change WHERE owner_id = '${traderId}'`,
    );
    await world.request(pool, nth, 'all');
  }
  await world.round();
  const held = { state: 'queued', waits_because: 'address_held' };
  expect(await world.withdrawalsOf(pool)).toMatchObject([held, held]);
  await world.owner(
    `UPDATE payout_address_change SET changed_at = now() - interval '25 hours' WHERE owner_id = ANY ($1)`,
    [pool.members.map(({ traderId }) => traderId)],
  );
  await world.roundsUntil(async () => (await world.withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await world.withdrawalsOf(pool)).toMatchObject([{ state: 'paid', waits_because: null }, held]);
});

test('requests for one balance are served in their order, and what is not there is refused with what is', async () => {
  const pool = await world.addFilledPool([300]);
  const to = address(pool.members[0]?.payoutAddress);
  const before = await world.chain.token.balanceOf(to);
  await world.request(pool, 0, '200');
  // The first one is being paid when the others are taken up.
  await world.untilUnmined(pool, 'pool_withdraw');
  for (const amount of ['200', '300.5', 'all']) await world.request(pool, 0, amount);
  world.venue.advance(11_000);
  await world.turn(pool);
  const left = { state: 'refused', available: `${usdt(100)}` };
  const found = (state: string) => [
    { state, reserved: `${usdt(200)}` },
    left,
    left,
    { state, reserved: `${usdt(100)}` },
  ];
  expect(await world.withdrawalsOf(pool)).toMatchObject(found('paying'));
  await world.chain.node.setAutomine(true);
  await world.untilQuiet(pool.poolId);
  expect(await world.withdrawalsOf(pool)).toMatchObject(found('paid'));
  expect((await world.chain.token.balanceOf(to)) - before).toBe(usdt(300));
  expect(await world.booksOf(pool.poolId)).toEqual({});
});

test('the same request sent many times at once is stored and paid once', async () => {
  const pool = await world.addFilledPool([300]);
  const key = `key of ${pool.poolId}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => world.request(pool, 0, '100', key)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  expect((await world.request(pool, 0, '101', key)).body.error).toBe('request_key_reused');
  await world.untilQuiet(pool.poolId);
  expect(await world.withdrawalsOf(pool)).toHaveLength(1);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(200) });
});

test('a program with the scope asks and cancels for members of its providers, and for no others', async () => {
  const pool = await world.addFilledPool([100]);
  const providers = await world.owner<{ id: string; own: boolean }>(
    `SELECT v.id, EXISTS (SELECT FROM community_provider l WHERE l.community_id = $1 AND l.provider_id = v.id) AS own
     FROM provider v`,
    [pool.community.id],
  );
  const programAt = async (isOwn: boolean) => {
    const { body } = await world.ask('POST /api/service-tokens', {
      body: {
        name: 'Members',
        scopes: ['pool_requests'],
        provider_ids: providers.filter(({ own }) => own === isOwn).map(({ id }) => id),
      },
    });
    return (body as unknown as { data: { token: string } }).data.token;
  };
  const [own, foreign] = [await programAt(true), await programAt(false)];
  const params = { id: pool.poolId };
  const body = { member_id: pool.members[0]?.id as string, amount: 'all' as const };
  const ask = (as: string) =>
    world.ask('POST /api/pooled-accounts/{id}/withdrawals', { params, body }, {}, as);
  expect((await ask(foreign)).status).toBe(404);
  const asked = await ask(own);
  expect(asked.status).toBe(201);
  const withdrawalId = (asked.body as unknown as { data: { id: string } }).data.id;
  const cancel = (as: string) =>
    world.ask(
      'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel',
      { params: { ...params, withdrawalId } },
      {},
      as,
    );
  expect((await cancel(foreign)).status).toBe(404);
  expect((await cancel(own)).status).toBe(200);
});
