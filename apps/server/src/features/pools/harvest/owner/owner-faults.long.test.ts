import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { POOL_KEYS } from '../../../../../../../tests/support/test-keys.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../../tests/support/world/pool-world.ts';
import { units, usdt } from '../../../../../../../tests/support/world/usdt.ts';
import { measureOperations } from '../../../operations/measure-operations.ts';
import { readDuePools } from '../../reading/read-pools.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

const ELSEWHERE = `0x${'e1'.repeat(20)}` as const;
const HOUR_MS = 3_600_000;
/** Of a withdrawal at the simulated exchange. */
const FEE = units('0.3');

let world: PoolWorld;
let lastAccount = 0;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 10 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;

/** A pool of 1,000 USDT at the exchange whose owner is asked to withdraw. */
async function addAwaiting(): Promise<Pool> {
  lastAccount += 1;
  const pool = await world.addTradingPool({ account: lastAccount, amounts: [1_000] });
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  return pool;
}

const cycleOf = async ({ poolId }: Pool) => (await world.pool(poolId)).current_harvest_cycle;
const progressOf = async ({ poolId }: Pool) =>
  (await world.ask('GET /api/pooled-accounts/{id}/harvest/progress', { params: { id: poolId } })).body.data;

async function rounds(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await world.round();
}

/** The pool opened, and its books are those of the chain and the exchange. */
async function expectOpen(pool: Pool, heldUnits: bigint): Promise<void> {
  await world.until(pool.poolId, 'harvesting');
  await world.untilQuiet(pool.poolId);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: heldUnits });
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(heldUnits);
  expect(await world.differing()).toBe(0);
}

test('in parts: the cycle waits for the last of them', async () => {
  const pool = await addAwaiting();
  for (const part of [usdt(300), usdt(300)]) {
    world.venue.pools.withdraw(pool.uid, pool.proxy, part);
    await rounds(2);
    expect((await cycleOf(pool)).status).toBe('awaiting_bybit_withdrawal');
    expect((await progressOf(pool)).waits_because).toBe('above_dust');
  }
  expect((await world.booksOf(pool.poolId)).pool_returned).toBe(usdt(600));
  // What has returned keeps a harvest from being called off.
  expect((await world.act(pool.poolId, { action: 'abort' })).body.error).toBe('funds_moved');
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await expectOpen(pool, usdt(1_000) - 3n * FEE);
});

test('a withdrawal that Bybit holds, and one that it rejects, are waited for', async () => {
  const pool = await addAwaiting();
  world.venue.faults.set({ kind: 'withdrawal_rejected', account: pool.uid, times: 1 });
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await rounds(2);
  expect((await progressOf(pool)).waits_because).toBe('above_dust');
  world.venue.faults.set({ kind: 'withdrawal_pending', account: pool.uid, times: 1 });
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await rounds(2);
  expect((await progressOf(pool)).waits_because).toBe('withdrawal_under_way');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
  world.venue.pools.release(pool.uid);
  await expectOpen(pool, usdt(1_000) - FEE);
});

test('twice and too much: what comes from elsewhere belongs to no result until two people decide', async () => {
  const pool = await addAwaiting();
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await world.round();
  await world.chain.pay(pool.proxy, usdt(1_000));
  await world.until(pool.poolId, 'harvesting');
  await world.untilQuiet(pool.poolId);
  const result = -FEE;
  expect(await world.cyclesOf(pool.poolId, 2)).toMatchObject([{ result: `${result}` }]);
  expect(await world.booksOf(pool.poolId)).toEqual({
    pool_proxy: usdt(2_000) + result,
    pool_unexplained: usdt(1_000),
  });
  // It is not sent to the exchange with the rest.
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  await world.until(pool.poolId, 'stopped');
  expect(await world.booksOf(pool.poolId)).toMatchObject({
    pool_proxy: usdt(1_000),
    pool_exchange: usdt(1_000) + result,
    pool_unexplained: usdt(1_000),
  });
  expect(world.venue.pools.get(pool.uid).unified).toBe(usdt(1_000) + result);
});

test('to another address: the cycle waits, and a retry after the deadline waits again', async () => {
  const pool = await addAwaiting();
  world.venue.pools.withdraw(pool.uid, ELSEWHERE, 'all');
  await rounds(2);
  expect((await progressOf(pool)).waits_because).toBe('returns_missing');
  world.venue.advance(73 * HOUR_MS);
  await world.until(pool.poolId, 'failed');
  expect((await cycleOf(pool)).reason).toBe('deadline_passed');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
  expect((await world.act(pool.poolId, { action: 'retry' })).status).toBe(200);
  await rounds(2);
  expect((await progressOf(pool)).waits_because).toBe('returns_missing');
  expect((await cycleOf(pool)).status).toBe('awaiting_bybit_withdrawal');
});

test('never: the owner is reminded three times, the deadline ends it, and it can be called off', async () => {
  const pool = await addAwaiting();
  const kinds = async () =>
    (await world.messagesOf(pool.community.id))
      .map(({ kind }) => kind)
      .filter((kind) => /^withdraw_/.test(kind));
  expect(await kinds()).toEqual(['withdraw_funds']);
  for (const hours of [2, 10, 12, 30]) {
    world.venue.advance(hours * HOUR_MS);
    await rounds(2);
  }
  expect(await kinds()).toEqual(['withdraw_funds', ...Array(3).fill('withdraw_reminder')]);
  world.venue.advance(20 * HOUR_MS);
  await world.until(pool.poolId, 'failed');
  expect((await world.act(pool.poolId, { action: 'retry' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  expect((await world.act(pool.poolId, { action: 'abort' })).status).toBe(200);
  expect(await progressOf(pool)).toMatchObject({ awaited: 'bot' });
  await rounds(2);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
  expect(world.venue.pools.get(pool.uid).trading).not.toBe(null);
  expect(await progressOf(pool)).toMatchObject({ awaited: null });
});

test('everything is lost: two people accept it, everybody is at zero, and the pool opens for new deposits', async () => {
  lastAccount += 1;
  const pool = await world.addTradingPool({ account: lastAccount, amounts: [700, 300] });
  const { poolId, uid, members } = pool;
  world.earn(uid, -usdt(1_000));
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  // Nothing is left that an owner could withdraw.
  await world.until(poolId, 'processing_invoices');
  await rounds(2);
  const { evidence, valuation } = await progressOf(pool);
  expect(valuation).toMatchObject({ result: '-1000', reasons: ['everything_gone', 'large_result'] });
  const approval = { action: 'approve', evidence_id: evidence?.id };
  expect((await world.act(poolId, approval, world.other)).status).toBe(200);
  await world.until(poolId, 'harvesting');
  expect(await world.booksOf(poolId)).toEqual({});
  expect((await world.pool(poolId)).total_virtual_balance).toBe('0');
  await world.chain.pay(members[0]?.address as string, usdt(50));
  await world.chain.finalize();
  for (let nth = 0; nth < 10 && (await world.pool(poolId)).total_virtual_balance !== '50'; nth += 1)
    await world.round();
  expect(await world.booksOf(poolId)).toEqual({ pool_proxy: usdt(50) });
  expect(await world.differing()).toBe(0);
});

test('the owner reports the withdrawal by the link of the message, which is no evidence', async () => {
  const pool = await addAwaiting();
  const { poolId, uid, proxy } = pool;
  const [message] = await world.owner<{ text: string }>(
    `SELECT m.text FROM message m JOIN pooled_account p ON p.community_id = m.community_id
     WHERE p.id = $1 AND m.kind = 'withdraw_funds'`,
    [poolId],
  );
  const token = message?.text.match(/\/pool-owner#([\w-]+)/)?.[1] as string;
  const open = (path: '' | '/done', body: object = { token }) =>
    world.askAnything(`POST /api/pool-owner/withdrawal${path}`, { body }, {}, '');
  expect((await open('')).body).toMatchObject({
    data: {
      state: 'awaited',
      amount: '1000',
      address: proxy,
      language: 'en',
      words: { report: 'I have withdrawn everything' },
    },
  });
  expect((await open('', { token: `x${token.slice(1)}` })).body.error).toBe('link_invalid');
  const lookAt = async () =>
    (
      await world.owner<{ at: Date }>(
        'SELECT look_at AS at FROM harvest_cycle WHERE pooled_account_id = $1 AND ended_at IS NULL',
        [poolId],
      )
    )[0]?.at.getTime() as number;
  const later = new Date(world.venue.now() + HOUR_MS);
  await world.owner('UPDATE harvest_cycle SET look_at = $2 WHERE pooled_account_id = $1', [poolId, later]);

  // Nothing was withdrawn yet: the cycle stays, the worker looks at once, and repetition adds nothing.
  for (let nth = 0; nth < 3; nth += 1) {
    const reported = await open('/done');
    expect(reported.status).toBe(200);
    expect(reported.body.data.state).toBe('reported');
  }
  expect(await lookAt()).toBeLessThan(later.getTime());
  await rounds(2);
  expect((await cycleOf(pool)).status).toBe('awaiting_bybit_withdrawal');
  const { events } = await progressOf(pool);
  expect(events.filter(({ event }) => event === 'owner_done')).toMatchObject([
    { actor: 'Pool owner', role: 'owner' },
  ]);

  world.venue.pools.withdraw(uid, proxy, 'all');
  await expectOpen(pool, usdt(1_000) - FEE);
  expect((await open('')).body.data).toMatchObject({ state: 'over', amount: null, address: null });
  expect((await open('/done')).body.data.state).toBe('over');
});

test('a late owner is reminded with the text on screen, once within minutes, and the timeline and audit say so', async () => {
  const pool = await addAwaiting();
  const remind = (as?: string) => world.act(pool.poolId, { action: 'remind_owner' }, as);
  // The bot has just asked for the withdrawal.
  expect((await remind()).body.error).toBe('reminded_lately');
  world.venue.advance(11 * 60_000);
  const { owner } = await progressOf(pool);
  expect(owner.reminder?.text).toContain('Please withdraw everything, only USDT');
  expect(owner.reminder?.text).not.toMatch(/<|&/);
  const answers = await Promise.all([remind(), remind(world.other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const sent = (await world.messagesOf(pool.community.id)).filter(({ kind }) => kind === 'withdraw_reminder');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text.replace(/<[^>]*>/g, '')).toBe(owner.reminder?.text);
  const progress = await progressOf(pool);
  expect(progress.events.filter(({ event }) => event === 'remind_owner')).toHaveLength(1);
  expect(progress.owner.reminders).toBe(1);
  expect(
    await world.owner(
      `SELECT action FROM audit_entry WHERE action = 'harvest.remind_owner' AND target_id = $1`,
      [pool.poolId],
    ),
  ).toHaveLength(1);
  // The automatic reminders go on.
  world.venue.advance(2 * HOUR_MS);
  await rounds(1);
  expect((await progressOf(pool)).owner.reminders).toBe(2);

  await world.owner('UPDATE community SET owner_telegram_id = NULL WHERE id = $1', [pool.community.id]);
  expect((await remind()).body.error).toBe('owner_unreachable');
});

/** Trading goes on in the account of a pool, or stops. */
const trades = ({ uid }: Pool, isTrading: boolean) =>
  world.change(uid, (account) => {
    account.positions = isTrading
      ? [
          {
            category: 'linear',
            settleCoin: 'USDT',
            symbol: 'BTCUSDT',
            side: 'Buy',
            size: '0.001',
            price: '60000',
            openedAt: world.venue.now(),
          },
        ]
      : [];
  });

test('a position that is opened after the pause stops the cycle, and is a figure', async () => {
  const pool = await addAwaiting();
  trades(pool, true);
  await rounds(2);
  expect(await cycleOf(pool)).toMatchObject({
    status: 'awaiting_bybit_withdrawal',
    reason: 'open_positions_exist',
  });
  expect(await progressOf(pool)).toMatchObject({ awaited: 'operator' });
  const registry = new Registry();
  let at = 0;
  measureOperations(registry, { db: world.db, log: world.log, now: () => at });
  expect(await registry.metrics()).toContain('copydesk_pools_traded_on 1');
  trades(pool, false);
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await world.until(pool.poolId, 'harvesting');
  at = 600_000;
  expect(await registry.metrics()).toContain('copydesk_pools_traded_on 0');
});

test('a position that is opened while the pool is open is noticed by the next read, and so is its end', async () => {
  const pool = await addAwaiting();
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await world.until(pool.poolId, 'harvesting/open');
  const read = async () => {
    const deps = { db: world.db, poolKeys: POOL_KEYS, venue: world.venue.reads, now: world.venue.now };
    while (await readDuePools({ ...deps, everyMs: 1 }));
  };
  await read();
  await rounds(1);
  expect(await cycleOf(pool)).toMatchObject({ status: 'harvesting', reason: null });
  trades(pool, true);
  await read();
  await rounds(1);
  expect(await cycleOf(pool)).toMatchObject({ status: 'harvesting', reason: 'open_positions_exist' });
  const registry = new Registry();
  measureOperations(registry, { db: world.db, log: world.log, now: () => 0 });
  expect(await registry.metrics()).toContain('copydesk_pools_traded_on 1');
  trades(pool, false);
  await read();
  await rounds(1);
  expect((await cycleOf(pool)).reason).toBeNull();
});
