import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { longTest } from '../../../../../../tests/support/long-test.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { takeTransferTurn } from '../../transfers/engine/transfer-turn.ts';
import { takeHarvestTurn } from '../harvest/take-harvest-turn.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** One for each test. */
const ACCOUNTS = 13;
let world: PoolWorld;
let lastAccount = 0;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: ACCOUNTS });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;
const address = (text: string | undefined) => text as `0x${string}`;

function addPool(members: number): Promise<Pool> {
  lastAccount += 1;
  return world.addOpenPool({ account: lastAccount, members });
}

/** An open pool whose members paid in these amounts, which are collected. */
async function addFilledPool(amounts: number[]): Promise<Pool> {
  const pool = await addPool(amounts.length);
  for (const [nth, amount] of amounts.entries()) await payIn(pool, nth, amount);
  await roundsUntil(async () => (await depositsOf(pool)).every(({ state }) => state === 'admitted'));
  return pool;
}

async function payIn(pool: Pool, nth: number, amount: number): Promise<void> {
  await world.chain.pay(pool.members[nth]?.address as string, usdt(amount));
  await world.chain.finalize();
  await world.readChain();
}

const depositsOf = ({ poolId }: Pool) =>
  world.owner<{ member_id: string; state: string; transfer_id: string | null }>(
    'SELECT member_id, state, transfer_id FROM pool_deposit WHERE pooled_account_id = $1 ORDER BY created_at',
    [poolId],
  );

interface StoredWithdrawal extends Record<string, unknown> {
  id: string;
  state: string;
  attempt: number;
  reserved: string | null;
  waits_because: string | null;
  refusal: string | null;
  available: string | null;
}
const withdrawalsOf = ({ poolId }: Pool) =>
  world.owner<StoredWithdrawal>(
    `SELECT id, state, attempt, reserved_units::text AS reserved, waits_because, refusal,
       available_units::text AS available
     FROM pool_withdrawal WHERE pooled_account_id = $1 ORDER BY created_at, id`,
    [poolId],
  );

/** What is reserved of the capital of the pool's first member. */
async function reservedOf({ members }: Pool): Promise<bigint> {
  const [row] = await world.owner<{ pending: string }>(
    `SELECT b.pending::text AS pending FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
     WHERE a.owner_id = $1 AND a.kind = 'pool_capital'`,
    [members[0]?.id],
  );
  return BigInt(row?.pending ?? 0);
}

const request = ({ poolId, members }: Pool, nth: number, amount: string, key?: string) =>
  world.askAnything('POST /api/pooled-accounts/{id}/withdrawals', {
    params: { id: poolId },
    body: { member_id: members[nth]?.id as string, amount, ...(key && { request_key: key }) },
  });

async function roundsUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let nth = 0; nth < 30; nth += 1) {
    if (await isDone()) return;
    await world.round();
  }
  throw new Error('the flows do not get there');
}

/** One turn of the workers, without a new block. */
async function turn({ poolId }: Pool): Promise<void> {
  await world.owner('UPDATE harvest_cycle SET look_at = $2 WHERE pooled_account_id = $1', [
    poolId,
    new Date(world.venue.now()),
  ]);
  while (await takeHarvestTurn(world.worker)) {
    // until no cycle is due
  }
  await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
  while (await takeTransferTurn(world.engine)) {
    // until it waits for blocks
  }
}

/** Lets the workers go on until a transfer of this kind is sent and in no block. */
async function untilUnmined(pool: Pool, kind: string): Promise<void> {
  await world.chain.node.setAutomine(false);
  for (let nth = 0; nth < 20; nth += 1) {
    await turn(pool);
    if ((await transfersOf(pool, kind)).some(({ state }) => state === 'sent')) return;
    await world.chain.finalize();
    world.venue.advance(11_000);
  }
  throw new Error(`no ${kind} is sent`);
}

/** Makes the transaction that waits revert: its wallet is empty when it is mined, and full again afterwards. */
async function revertUnmined(wallet: `0x${string}`): Promise<void> {
  const held = await world.chain.token.balanceOf(wallet);
  await world.chain.setTokens(wallet, 0n);
  await world.chain.finalize();
  await world.chain.setTokens(wallet, held);
  await world.chain.node.setAutomine(true);
}

const transfersOf = ({ community }: Pool, kind: string) =>
  world.owner<{ state: string; problem: string | null }>(
    'SELECT state, problem FROM transfer WHERE community_id = $1 AND kind = $2 ORDER BY created_at',
    [community.id, kind],
  );

test('a collection that reverts leaves its deposit in the queue, and the next one admits it once', async () => {
  const pool = await addPool(1);
  await payIn(pool, 0, 100);
  await payIn(pool, 0, 50);
  await untilUnmined(pool, 'pool_collect');
  await revertUnmined(address(pool.members[0]?.address));
  await roundsUntil(async () => (await transfersOf(pool, 'pool_collect'))[0]?.state === 'reverted');
  expect((await world.booksOf(pool.poolId)).pool_proxy ?? 0n).toBe(0n);
  await roundsUntil(async () => (await depositsOf(pool)).every(({ state }) => state === 'admitted'));
  expect((await transfersOf(pool, 'pool_collect')).map(({ state }) => state)).toEqual(['reverted', 'final']);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(150) });
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(usdt(150));
  expect(await world.differing()).toBe(0);
});

test('a withdrawal that reverts releases its reservation, and a new attempt pays it once', async () => {
  const pool = await addFilledPool([1_000]);
  const to = address(pool.members[0]?.payoutAddress);
  const before = await world.chain.token.balanceOf(to);
  expect((await request(pool, 0, '400')).status).toBe(201);
  await untilUnmined(pool, 'pool_withdraw');
  expect(await withdrawalsOf(pool)).toMatchObject([
    { state: 'paying', attempt: 1, reserved: `${usdt(400)}` },
  ]);
  await revertUnmined(pool.proxy);
  await roundsUntil(async () => (await withdrawalsOf(pool))[0]?.state === 'queued');
  expect(await reservedOf(pool)).toBe(0n);
  await untilUnmined(pool, 'pool_withdraw');
  expect(await reservedOf(pool)).toBe(usdt(400));
  await world.chain.node.setAutomine(true);
  await roundsUntil(async () => (await withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await reservedOf(pool)).toBe(0n);
  expect((await transfersOf(pool, 'pool_withdraw')).map(({ state }) => state)).toEqual(['reverted', 'final']);
  expect(await withdrawalsOf(pool)).toMatchObject([{ state: 'paid', attempt: 2, reserved: `${usdt(400)}` }]);
  expect((await world.chain.token.balanceOf(to)) - before).toBe(usdt(400));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(600) });
  expect(await world.differing()).toBe(0);
});

const asApi = (statement: string) =>
  world.apiDb.write(WHOLE_SCOPE, { kind: 'system', id: 'test', name: 'Test' }, (tx) =>
    sql.raw(statement).execute(tx.sql),
  );

longTest('what a withdrawal is being paid from stays reserved, also where the API would end it', async () => {
  const pool = await addFilledPool([1_000]);
  expect((await request(pool, 0, '400')).status).toBe(201);
  await untilUnmined(pool, 'pool_withdraw');
  const [paying] = await withdrawalsOf(pool);
  await expect(
    asApi(`INSERT INTO ledger_reservation_end (reservation_id, actor_kind, actor_id, actor_name)
      SELECT id, 'system', 'x', 'x' FROM ledger_reservation WHERE source_id = '${paying?.id}:1'`),
  ).rejects.toThrow('what is being paid stays reserved');
  await world.chain.node.setAutomine(true);
  await roundsUntil(async () => (await withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await world.differing()).toBe(0);
});

longTest('a worker pays no withdrawal that the ledger does not hold back for its member', async () => {
  const pool = await addFilledPool([300, 1_000]);
  expect((await world.act(pool.poolId, { action: 'close_gate' })).status).toBe(200);
  expect((await request(pool, 0, 'all')).status).toBe(201);
  // As whoever has the API's login would, to be paid from what another member owns.
  await asApi(`UPDATE pool_withdrawal SET state = 'reserved', reserved_units = ${usdt(1_200)}
    WHERE pooled_account_id = '${pool.poolId}'`);
  await world.owner(
    `UPDATE harvest_cycle SET step = 'open' WHERE pooled_account_id = $1 AND ended_at IS NULL`,
    [pool.poolId],
  );
  // It is set aside, taken up again, and paid what the member has.
  await roundsUntil(async () => (await withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await transfersOf(pool, 'pool_withdraw')).toEqual([
    { state: 'void', problem: 'not_backed' },
    { state: 'final', problem: null },
  ]);
  expect(await world.chain.token.balanceOf(address(pool.members[0]?.payoutAddress))).toBe(usdt(300));
  expect(await world.differing()).toBe(0);
});

/** A person reviews the wallet of a transfer that was sent and moved nothing. */
async function review(pool: Pool, kind: string): Promise<void> {
  const [frozen] = await world.owner<{ id: string }>(
    `WITH suspected AS (
       UPDATE transfer SET problem = 'foreign_transaction'
       WHERE community_id = $1 AND kind = $2 AND state = 'sent' RETURNING wallet_id)
     UPDATE chain_wallet w SET frozen_because = 'foreign_nonce', frozen_at = now()
     FROM suspected s WHERE w.id = s.wallet_id RETURNING w.id`,
    [pool.community.id, kind],
  );
  const reviewed = await world.ask('POST /api/super-admin/wallets/{id}/unfreeze', {
    params: { id: frozen?.id as string },
    body: { reason: 'Looked at' },
  });
  expect(reviewed.status).toBe(200);
}

/** As if the transaction that waits had never been there, and another had taken its nonce. */
async function replaceUnmined(pool: Pool, kind: string): Promise<void> {
  const sent = await world.owner<{ hash: `0x${string}`; address: `0x${string}`; nonce: number }>(
    `SELECT a.hash, w.address, a.nonce::int AS nonce FROM transfer_attempt a JOIN transfer i ON i.id = a.transfer_id
     JOIN chain_wallet w ON w.id = i.wallet_id WHERE i.community_id = $1 AND i.kind = $2 AND i.state = 'sent'`,
    [pool.community.id, kind],
  );
  for (const { hash } of sent) await world.chain.node.dropTransaction({ hash });
  for (const { address: wallet, nonce } of sent)
    await world.chain.node.setNonce({ address: wallet, nonce: nonce + 1 });
  await world.chain.node.setAutomine(true);
}

longTest('a deposit and a withdrawal whose transfers a review ended are taken up again', async () => {
  const pool = await addPool(1);
  await payIn(pool, 0, 1_000);
  await untilUnmined(pool, 'pool_collect');
  await replaceUnmined(pool, 'pool_collect');
  await review(pool, 'pool_collect');
  await roundsUntil(async () => (await depositsOf(pool))[0]?.state === 'admitted');
  expect((await transfersOf(pool, 'pool_collect')).map(({ state }) => state)).toEqual(['cancelled', 'final']);

  expect((await request(pool, 0, '400')).status).toBe(201);
  await untilUnmined(pool, 'pool_withdraw');
  await replaceUnmined(pool, 'pool_withdraw');
  await review(pool, 'pool_withdraw');
  await roundsUntil(async () => (await withdrawalsOf(pool))[0]?.state === 'paid');
  expect((await transfersOf(pool, 'pool_withdraw')).map(({ state }) => state)).toEqual([
    'cancelled',
    'final',
  ]);
  expect(await withdrawalsOf(pool)).toMatchObject([{ state: 'paid', attempt: 2 }]);
  expect(await world.chain.token.balanceOf(address(pool.members[0]?.payoutAddress))).toBe(usdt(400));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(600) });
  expect(await world.differing()).toBe(0);
});

longTest('a frozen wallet holds up its own deposits only', async () => {
  const pool = await addPool(2);
  const freeze = (reason: string | null) =>
    world.owner(
      `UPDATE chain_wallet SET frozen_because = $2, frozen_at = CASE WHEN $2::text IS NULL THEN NULL ELSE now() END
       WHERE owner_id = $1 AND role = 'pool_deposit'`,
      [pool.members[0]?.id, reason],
    );
  await freeze('transfer_refused');
  await payIn(pool, 0, 100);
  await payIn(pool, 1, 200);
  await roundsUntil(async () => (await depositsOf(pool)).some(({ state }) => state === 'admitted'));
  expect((await depositsOf(pool)).map(({ state }) => state)).toEqual(['queued', 'admitted']);
  await freeze(null);
  await roundsUntil(async () => (await depositsOf(pool)).every(({ state }) => state === 'admitted'));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(300) });
});

longTest('flows that cannot be signed do not keep a pool from stopping', async () => {
  const pool = await addFilledPool([500, 500]);
  const [first, second] = pool.members;
  await payIn(pool, 0, 100);
  const from = address(first?.address);
  const held = await world.chain.token.balanceOf(from);
  // The chain refuses the collection, and a limit refuses the withdrawal.
  await world.chain.setTokens(from, held - 1n);
  expect((await request(pool, 1, 'all')).status).toBe(201);
  world.engine.limits = { perTransaction: usdt(499), perDay: null };
  try {
    for (let nth = 0; nth < 4; nth += 1) await world.round();
    expect(await transfersOf(pool, 'pool_withdraw')).toEqual([
      { state: 'planned', problem: 'over_transaction_limit' },
    ]);
    // As the console does it: with a key, whose refusal is stored, and the version on screen.
    const { version } = (await world.pool(pool.poolId)).current_harvest_cycle;
    const stop = () =>
      world.askAnything(
        'POST /api/pooled-accounts/{id}/harvest',
        { params: { id: pool.poolId }, body: { action: 'stop', version } },
        { 'idempotency-key': 'refused-stop' },
      );
    const refused = await stop();
    expect(refused.body).toMatchObject({
      error: 'pending_operations',
      message: expect.stringMatching(/The gate is closed: no new ones begin\.$/),
    });
    expect((await world.pool(pool.poolId)).current_harvest_cycle).toMatchObject({
      step: 'closing',
      version: version + 1,
    });
    expect(await stop()).toEqual(refused);
    expect((await world.pool(pool.poolId)).current_harvest_cycle.version).toBe(version + 1);
    await world.round();
    expect((await depositsOf(pool)).at(-1)).toMatchObject({ state: 'queued', transfer_id: null });
    expect(await withdrawalsOf(pool)).toMatchObject([{ state: 'queued', reserved: null, attempt: 1 }]);
    // The gate is closed: the requests are not taken up again.
    await world.round();
    expect((await transfersOf(pool, 'pool_withdraw')).map(({ state }) => state)).toEqual(['void']);
    expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
    await world.until(pool.poolId, 'stopped');
  } finally {
    world.engine.limits = { perTransaction: null, perDay: null };
    await world.chain.setTokens(from, held);
  }
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
  expect(await world.chain.token.balanceOf(address(second?.payoutAddress))).toBe(0n);
});

longTest(
  'a payout address that was just changed keeps a withdrawal in the queue, with the reason',
  async () => {
    const pool = await addFilledPool([300]);
    await world.owner(
      `INSERT INTO payout_address_change (owner_kind, owner_id, changed_by_id) VALUES ('trader', $1, 'a')`,
      [pool.members[0]?.traderId],
    );
    await request(pool, 0, 'all');
    await world.round();
    expect(await withdrawalsOf(pool)).toMatchObject([
      { state: 'queued', waits_because: 'address_held', attempt: 0, reserved: null },
    ]);
    await world.owner(
      `UPDATE payout_address_change SET released_at = now(), released_by_id = 'b', released_by = 'B',
       changed_at = now() - interval '25 hours' WHERE owner_id = $1`,
      [pool.members[0]?.traderId],
    );
    await world.untilQuiet(pool.poolId);
    expect(await withdrawalsOf(pool)).toMatchObject([{ state: 'paid', waits_because: null }]);
    expect(await world.booksOf(pool.poolId)).toEqual({});
  },
);

longTest(
  "the word of its owner releases a changed address for the worker too, after the waiting time; 'not me' does not",
  async () => {
    const pool = await addFilledPool([300, 300]);
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
      await request(pool, nth, 'all');
    }
    await world.round();
    const held = { state: 'queued', waits_because: 'address_held' };
    expect(await withdrawalsOf(pool)).toMatchObject([held, held]);
    await world.owner(
      `UPDATE payout_address_change SET changed_at = now() - interval '25 hours' WHERE owner_id = ANY ($1)`,
      [pool.members.map(({ traderId }) => traderId)],
    );
    await roundsUntil(async () => (await withdrawalsOf(pool))[0]?.state === 'paid');
    expect(await withdrawalsOf(pool)).toMatchObject([{ state: 'paid', waits_because: null }, held]);
  },
);

longTest(
  'requests for one balance are served in their order, and what is not there is refused with what is',
  async () => {
    const pool = await addFilledPool([300]);
    const to = address(pool.members[0]?.payoutAddress);
    const before = await world.chain.token.balanceOf(to);
    await request(pool, 0, '200');
    // The first one is being paid when the others are taken up.
    await untilUnmined(pool, 'pool_withdraw');
    for (const amount of ['200', '300.5', 'all']) await request(pool, 0, amount);
    world.venue.advance(11_000);
    await turn(pool);
    const left = { state: 'refused', available: `${usdt(100)}` };
    const found = (state: string) => [
      { state, reserved: `${usdt(200)}` },
      left,
      left,
      { state, reserved: `${usdt(100)}` },
    ];
    expect(await withdrawalsOf(pool)).toMatchObject(found('paying'));
    await world.chain.node.setAutomine(true);
    await world.untilQuiet(pool.poolId);
    expect(await withdrawalsOf(pool)).toMatchObject(found('paid'));
    expect((await world.chain.token.balanceOf(to)) - before).toBe(usdt(300));
    expect(await world.booksOf(pool.poolId)).toEqual({});
  },
);

longTest('the same request sent many times at once is stored and paid once', async () => {
  const pool = await addFilledPool([300]);
  const key = `key of ${pool.poolId}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => request(pool, 0, '100', key)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  expect((await request(pool, 0, '101', key)).body.error).toBe('request_key_reused');
  await world.untilQuiet(pool.poolId);
  expect(await withdrawalsOf(pool)).toHaveLength(1);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(200) });
});

test('funding goes to the approved address only, which is checked again before it is signed', async () => {
  const pool = await addFilledPool([300]);
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  const fundings = () =>
    world.owner<{ state: string }>(
      `SELECT f.state FROM harvest_funding f JOIN harvest_cycle h ON h.id = f.cycle_id
       WHERE h.pooled_account_id = $1`,
      [pool.poolId],
    );
  while (await takeHarvestTurn(world.worker)) {
    // until the funding is ordered
  }
  expect(await fundings()).toEqual([{ state: 'ordered' }]);
  const [approved] = await world.owner<{ address: string }>(
    'SELECT bybit_deposit_address AS address FROM pooled_account WHERE id = $1',
    [pool.poolId],
  );
  const approve = (to: string | undefined, from: string) =>
    world.owner(
      `UPDATE pooled_account SET bybit_deposit_address = $2, bybit_deposit_address_from = ${from} WHERE id = $1`,
      [pool.poolId, to],
    );
  const other = `0x${'9'.repeat(40)}`;
  for (const [to, from] of [
    [other, 'created_at'],
    [approved?.address, `now() + interval '1 day'`],
  ] as const) {
    await approve(to, from);
    await world.round();
    await world.round();
    expect(await transfersOf(pool, 'pool_fund')).toEqual([{ state: 'planned', problem: null }]);
  }
  await approve(approved?.address, 'created_at');
  await world.until(pool.poolId, 'stopped');
  expect(await fundings()).toEqual([{ state: 'credited' }]);
  expect(await world.chain.token.balanceOf(address(other))).toBe(0n);
});

longTest('funding that reverts fails the cycle, and its retry sends it once', async () => {
  const pool = await addFilledPool([300]);
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  await untilUnmined(pool, 'pool_fund');
  await revertUnmined(pool.proxy);
  await world.until(pool.poolId, 'failed');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(300) });
  expect((await world.act(pool.poolId, { action: 'retry' })).status).toBe(200);
  await world.until(pool.poolId, 'stopped');
  expect((await transfersOf(pool, 'pool_fund')).map(({ state }) => state)).toEqual(['reverted', 'final']);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(300) });
  expect(world.venue.pools.get(pool.uid).unified).toBe(usdt(300));
});

longTest(
  'a program with the scope asks and cancels for members of its providers, and for no others',
  async () => {
    const pool = await addFilledPool([100]);
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
  },
);
