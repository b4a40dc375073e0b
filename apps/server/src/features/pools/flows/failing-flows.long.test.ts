import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createFlowWorld,
  type FlowWorld,
  type OpenPool,
} from '../../../../../../tests/support/world/flow-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { takeHarvestTurn } from '../harvest/take-harvest-turn.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: FlowWorld;
beforeAll(async () => {
  world = await createFlowWorld({ accounts: 9 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

const address = (text: string | undefined) => text as `0x${string}`;

test('a collection that reverts leaves its deposit in the queue, and the next one admits it once', async () => {
  const pool = await world.addPool(1);
  await world.payIn(pool, 0, 100);
  await world.payIn(pool, 0, 50);
  await world.untilUnmined(pool, 'pool_collect');
  await world.revertUnmined(address(pool.members[0]?.address));
  await world.roundsUntil(
    async () => (await world.transfersOf(pool, 'pool_collect'))[0]?.state === 'reverted',
  );
  expect((await world.booksOf(pool.poolId)).pool_proxy ?? 0n).toBe(0n);
  await world.roundsUntil(async () =>
    (await world.depositsOf(pool)).every(({ state }) => state === 'admitted'),
  );
  expect((await world.transfersOf(pool, 'pool_collect')).map(({ state }) => state)).toEqual([
    'reverted',
    'final',
  ]);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(150) });
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(usdt(150));
  expect(await world.differing()).toBe(0);
});

test('a withdrawal that reverts releases its reservation, and a new attempt pays it once', async () => {
  const pool = await world.addFilledPool([1_000]);
  const to = address(pool.members[0]?.payoutAddress);
  const before = await world.chain.token.balanceOf(to);
  expect((await world.request(pool, 0, '400')).status).toBe(201);
  await world.untilUnmined(pool, 'pool_withdraw');
  expect(await world.withdrawalsOf(pool)).toMatchObject([
    { state: 'paying', attempt: 1, reserved: `${usdt(400)}` },
  ]);
  await world.revertUnmined(pool.proxy);
  await world.roundsUntil(async () => (await world.withdrawalsOf(pool))[0]?.state === 'queued');
  expect(await world.reservedOf(pool)).toBe(0n);
  await world.untilUnmined(pool, 'pool_withdraw');
  expect(await world.reservedOf(pool)).toBe(usdt(400));
  await world.chain.node.setAutomine(true);
  await world.roundsUntil(async () => (await world.withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await world.reservedOf(pool)).toBe(0n);
  expect((await world.transfersOf(pool, 'pool_withdraw')).map(({ state }) => state)).toEqual([
    'reverted',
    'final',
  ]);
  expect(await world.withdrawalsOf(pool)).toMatchObject([
    { state: 'paid', attempt: 2, reserved: `${usdt(400)}` },
  ]);
  expect((await world.chain.token.balanceOf(to)) - before).toBe(usdt(400));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(600) });
  expect(await world.differing()).toBe(0);
});

const asApi = (statement: string) =>
  world.apiDb.write(WHOLE_SCOPE, { kind: 'system', id: 'test', name: 'Test' }, (tx) =>
    sql.raw(statement).execute(tx.sql),
  );

test('what a withdrawal is being paid from stays reserved, also where the API would end it', async () => {
  const pool = await world.addFilledPool([1_000]);
  expect((await world.request(pool, 0, '400')).status).toBe(201);
  await world.untilUnmined(pool, 'pool_withdraw');
  const [paying] = await world.withdrawalsOf(pool);
  await expect(
    asApi(`INSERT INTO ledger_reservation_end (reservation_id, actor_kind, actor_id, actor_name)
      SELECT id, 'system', 'x', 'x' FROM ledger_reservation WHERE source_id = '${paying?.id}:1'`),
  ).rejects.toThrow('what is being paid stays reserved');
  await world.chain.node.setAutomine(true);
  await world.roundsUntil(async () => (await world.withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await world.differing()).toBe(0);
});

test('a worker pays no withdrawal that the ledger does not hold back for its member', async () => {
  const pool = await world.addFilledPool([300, 1_000]);
  expect((await world.act(pool.poolId, { action: 'close_gate' })).status).toBe(200);
  expect((await world.request(pool, 0, 'all')).status).toBe(201);
  // As whoever has the API's login would, to be paid from what another member owns.
  await asApi(`UPDATE pool_withdrawal SET state = 'reserved', reserved_units = ${usdt(1_200)}
    WHERE pooled_account_id = '${pool.poolId}'`);
  await world.owner(
    `UPDATE harvest_cycle SET step = 'open' WHERE pooled_account_id = $1 AND ended_at IS NULL`,
    [pool.poolId],
  );
  // It is set aside, taken up again, and paid what the member has.
  await world.roundsUntil(async () => (await world.withdrawalsOf(pool))[0]?.state === 'paid');
  expect(await world.transfersOf(pool, 'pool_withdraw')).toEqual([
    { state: 'void', problem: 'not_backed' },
    { state: 'final', problem: null },
  ]);
  expect(await world.chain.token.balanceOf(address(pool.members[0]?.payoutAddress))).toBe(usdt(300));
  expect(await world.differing()).toBe(0);
});

/** A person reviews the wallet of a transfer that was sent and moved nothing. */
async function review(pool: OpenPool, kind: string): Promise<void> {
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
async function replaceUnmined(pool: OpenPool, kind: string): Promise<void> {
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

test('a deposit and a withdrawal whose transfers a review ended are taken up again', async () => {
  const pool = await world.addPool(1);
  await world.payIn(pool, 0, 1_000);
  await world.untilUnmined(pool, 'pool_collect');
  await replaceUnmined(pool, 'pool_collect');
  await review(pool, 'pool_collect');
  await world.roundsUntil(async () => (await world.depositsOf(pool))[0]?.state === 'admitted');
  expect((await world.transfersOf(pool, 'pool_collect')).map(({ state }) => state)).toEqual([
    'cancelled',
    'final',
  ]);

  expect((await world.request(pool, 0, '400')).status).toBe(201);
  await world.untilUnmined(pool, 'pool_withdraw');
  await replaceUnmined(pool, 'pool_withdraw');
  await review(pool, 'pool_withdraw');
  await world.roundsUntil(async () => (await world.withdrawalsOf(pool))[0]?.state === 'paid');
  expect((await world.transfersOf(pool, 'pool_withdraw')).map(({ state }) => state)).toEqual([
    'cancelled',
    'final',
  ]);
  expect(await world.withdrawalsOf(pool)).toMatchObject([{ state: 'paid', attempt: 2 }]);
  expect(await world.chain.token.balanceOf(address(pool.members[0]?.payoutAddress))).toBe(usdt(400));
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(600) });
  expect(await world.differing()).toBe(0);
});

test('a frozen wallet holds up its own deposits only', async () => {
  const pool = await world.addPool(2);
  const freeze = (reason: string | null) =>
    world.owner(
      `UPDATE chain_wallet SET frozen_because = $2, frozen_at = CASE WHEN $2::text IS NULL THEN NULL ELSE now() END
       WHERE owner_id = $1 AND role = 'pool_deposit'`,
      [pool.members[0]?.id, reason],
    );
  await freeze('transfer_refused');
  await world.payIn(pool, 0, 100);
  await world.payIn(pool, 1, 200);
  await world.roundsUntil(async () =>
    (await world.depositsOf(pool)).some(({ state }) => state === 'admitted'),
  );
  expect((await world.depositsOf(pool)).map(({ state }) => state)).toEqual(['queued', 'admitted']);
  await freeze(null);
  await world.roundsUntil(async () =>
    (await world.depositsOf(pool)).every(({ state }) => state === 'admitted'),
  );
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(300) });
});

test('flows that cannot be signed do not keep a pool from stopping', async () => {
  const pool = await world.addFilledPool([500, 500]);
  const [first, second] = pool.members;
  await world.payIn(pool, 0, 100);
  const from = address(first?.address);
  const held = await world.chain.token.balanceOf(from);
  // The chain refuses the collection, and a limit refuses the withdrawal.
  await world.chain.setTokens(from, held - 1n);
  expect((await world.request(pool, 1, 'all')).status).toBe(201);
  world.engine.limits = { perTransaction: usdt(499), perDay: null };
  try {
    for (let nth = 0; nth < 4; nth += 1) await world.round();
    expect(await world.transfersOf(pool, 'pool_withdraw')).toEqual([
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
    expect((await world.depositsOf(pool)).at(-1)).toMatchObject({ state: 'queued', transfer_id: null });
    expect(await world.withdrawalsOf(pool)).toMatchObject([{ state: 'queued', reserved: null, attempt: 1 }]);
    // The gate is closed: the requests are not taken up again.
    await world.round();
    expect((await world.transfersOf(pool, 'pool_withdraw')).map(({ state }) => state)).toEqual(['void']);
    expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
    await world.until(pool.poolId, 'stopped');
  } finally {
    world.engine.limits = { perTransaction: null, perDay: null };
    await world.chain.setTokens(from, held);
  }
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
  expect(await world.chain.token.balanceOf(address(second?.payoutAddress))).toBe(0n);
});

test('funding goes to the approved address only, which is checked again before it is signed', async () => {
  const pool = await world.addFilledPool([300]);
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
    expect(await world.transfersOf(pool, 'pool_fund')).toEqual([{ state: 'planned', problem: null }]);
  }
  await approve(approved?.address, 'created_at');
  await world.until(pool.poolId, 'stopped');
  expect(await fundings()).toEqual([{ state: 'credited' }]);
  expect(await world.chain.token.balanceOf(address(other))).toBe(0n);
});

test('funding that reverts fails the cycle, and its retry sends it once', async () => {
  const pool = await world.addFilledPool([300]);
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  await world.untilUnmined(pool, 'pool_fund');
  await world.revertUnmined(pool.proxy);
  await world.until(pool.poolId, 'failed');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(300) });
  expect((await world.act(pool.poolId, { action: 'retry' })).status).toBe(200);
  await world.until(pool.poolId, 'stopped');
  expect((await world.transfersOf(pool, 'pool_fund')).map(({ state }) => state)).toEqual([
    'reverted',
    'final',
  ]);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(300) });
  expect(world.venue.pools.get(pool.uid).unified).toBe(usdt(300));
});
