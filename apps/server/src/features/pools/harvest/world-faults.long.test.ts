import { poolWithdrawalPaid } from '@copydesk/domain/ledger';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { copyDatabase } from '../../../../../../tests/support/copy-database.ts';
import { createFailingDatabase, DATABASE_LOST } from '../../../../../../tests/support/failing-database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { AUDIT_KEY } from '../../../../../../tests/support/test-keys.ts';
import { watchOf } from '../../../../../../tests/support/world/chain-watch.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { units, usdt } from '../../../../../../tests/support/world/usdt.ts';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import { createPool } from '../../../platform/db/connection/connection.ts';
import { createDatabase, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { watchChain } from '../../deposits/watch/watch-chain.ts';
import { checkNonces } from '../../transfers/engine/check-nonces.ts';
import { takeTransferTurn } from '../../transfers/engine/transfer-turn.ts';
import { createProxyReceiver } from '../proxy/receive-arrivals.ts';
import { takeHarvestTurn } from './take-harvest-turn.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

const HOUR_MS = 3_600_000;
/** Of a withdrawal at the simulated exchange. */
const FEE = units('0.3');

let world: PoolWorld;
let lastAccount = 0;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 8 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;

const nextAccount = () => {
  lastAccount += 1;
  return lastAccount;
};
const addTrading = (...amounts: number[]): Promise<Pool> =>
  world.addTradingPool({ account: nextAccount(), amounts });
const capitalOf = async ({ poolId }: Pool) => (await world.pool(poolId)).total_virtual_balance;

async function rounds(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await world.round();
}

async function payIn({ members }: Pool, nth: number, amount: number): Promise<void> {
  await world.chain.pay(members[nth]?.address as string, usdt(amount));
  await world.chain.finalize();
}

/** Starts a harvest, and the owner withdraws everything. */
async function withdrawAll(pool: Pool): Promise<void> {
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
}

test('of two admins who start and stop at once, one of each is obeyed', async () => {
  const pool = await addTrading(500);
  const race = async (...actions: string[]) => {
    const answers = await Promise.all(
      actions.flatMap((action) =>
        [world.token, world.other].map(async (as) => ({
          action,
          ...(await world.act(pool.poolId, { action }, as)),
        })),
      ),
    );
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
    return answers.filter(({ status }) => status === 200).map(({ action }) => action);
  };
  expect(await race('stop', 'start')).toEqual(['start']);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await world.until(pool.poolId, 'harvesting');
  await world.untilQuiet(pool.poolId);
  expect(await race('start', 'stop')).toEqual(['stop']);
  await world.until(pool.poolId, 'stopped');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(500) - FEE });
  expect(world.venue.pools.get(pool.uid).transfers).toHaveLength(2);
});

test('a deposit that becomes final between the stop and the opening shares no result and is admitted then', async () => {
  const pool = await addTrading(600, 400);
  await payIn(pool, 0, 250);
  await rounds(3);
  expect(await capitalOf(pool)).toBe('1000');
  world.earn(pool.uid, usdt(100));
  await withdrawAll(pool);
  await payIn(pool, 1, 50);
  await world.until(pool.poolId, 'harvesting');
  const [cycle] = await world.cyclesOf(pool.poolId, 2);
  const parts = await world.allocationsOf(cycle?.id as string);
  const gain = usdt(100) - FEE;
  expect(parts.map(({ allocated }) => allocated).sort()).toEqual(
    [(gain * 4n) / 10n, (gain * 6n) / 10n].sort(),
  );
  await world.untilQuiet(pool.poolId);
  await rounds(3);
  const fees = parts.reduce((sum, { fee }) => sum + fee, 0n);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(1_300) + gain - fees });
  expect(await world.differing()).toBe(0);
});

test('a deposit that a reorganisation undoes was never booked, and counts once when it comes again', async () => {
  const pool = await world.addOpenPool({ account: nextAccount(), members: 1 });
  const before = await world.chain.node.snapshot();
  await world.chain.pay(pool.members[0]?.address as string, usdt(70));
  await world.readChain();
  await world.chain.node.revert({ id: before });
  await world.chain.mine(3);
  await rounds(2);
  expect(await world.booksOf(pool.poolId)).toEqual({});
  await payIn(pool, 0, 70);
  for (let nth = 0; nth < 12 && (await capitalOf(pool)) !== '70'; nth += 1) await world.round();
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(70) });
  expect(await world.differing()).toBe(0);
});

test('a chain that is down for an hour delays a cycle and loses nothing', async () => {
  const pool = await addTrading(500);
  await withdrawAll(pool);
  await world.until(pool.poolId, 'harvesting');
  await world.untilQuiet(pool.poolId);
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  world.cutChain(true);
  await rounds(1);
  world.venue.advance(HOUR_MS);
  await rounds(1);
  expect((await world.pool(pool.poolId)).current_harvest_cycle).toMatchObject({
    status: 'stopping_harvesting',
    step: 'sending',
  });
  world.cutChain(false);
  await world.until(pool.poolId, 'stopped');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(500) - FEE });
  expect(world.venue.pools.get(pool.uid).unified).toBe(usdt(500) - FEE);
  expect(await world.differing()).toBe(0);
});

test('everybody leaves at once: each gets it exactly once, and the pool ends at zero', async () => {
  const pool = await addTrading(700, 200, 100);
  world.earn(pool.uid, usdt(77));
  await withdrawAll(pool);
  await world.until(pool.poolId, 'harvesting');
  const [cycle] = await world.cyclesOf(pool.poolId, 2);
  const parts = await world.allocationsOf(cycle?.id as string);
  await Promise.all(
    pool.members.map(({ id }) =>
      world.ask('POST /api/pooled-accounts/{id}/withdrawals', {
        params: { id: pool.poolId },
        body: { member_id: id, amount: 'all' },
      }),
    ),
  );
  await world.untilQuiet(pool.poolId);
  for (const { id, payoutAddress } of pool.members)
    expect(await world.chain.token.balanceOf(payoutAddress as `0x${string}`)).toBe(
      parts.find(({ memberId }) => memberId === id)?.after,
    );
  expect(await world.booksOf(pool.poolId)).toEqual({});
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(0n);
  // An empty pool sends nothing, trades on, and can be harvested again.
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  await world.until(pool.poolId, 'stopped');
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'harvesting');
  expect(await world.differing()).toBe(0);
});

test('a backup that is put back in the middle of a cycle pays nothing again: its wallets are frozen', async () => {
  const pool = await addTrading(600, 400);
  world.earn(pool.uid, usdt(100));
  await withdrawAll(pool);
  const backup = await copyDatabase(world.ownerUrl);
  onTestFinished(backup.drop);
  await world.until(pool.poolId, 'harvesting');
  const member = pool.members[0];
  const withdrawal = {
    params: { id: pool.poolId },
    body: { member_id: member?.id as string, amount: '100' },
  };
  await world.ask('POST /api/pooled-accounts/{id}/withdrawals', withdrawal);
  await world.untilQuiet(pool.poolId);
  const wallet = await world.walletOf(pool.community.id);
  const balances = () =>
    Promise.all(
      [pool.proxy, wallet, member?.payoutAddress as `0x${string}`].map((at) =>
        world.chain.token.balanceOf(at),
      ),
    );
  const before = await balances();
  expect(before.every((held) => held > 0n)).toBe(true);

  const db = createDatabase({
    pool: createPool({ url: backup.ownerUrl, applicationName: 'test-backup' }),
    auditKey: AUDIT_KEY,
    now: () => new Date(),
  });
  onTestFinished(() => db.close());
  const worker = { ...world.worker, db };
  const engine = world.engineWith({ db, resendMs: 0, stuckMs: 0 });
  const restored = <Row extends Record<string, unknown>>(text: string, values: unknown[]) =>
    asOwner<Row>(backup.ownerUrl, text, values);
  const watch = watchOf({ ...world, db }, world.chain, {
    receivers: [createProxyReceiver({ log: world.log })],
  });
  await checkNonces(engine);
  for (let nth = 0; nth < 12; nth += 1) {
    while (await watchChain(watch)) {
      // until the final block
    }
    await restored(
      'UPDATE harvest_cycle SET look_at = $2 WHERE ended_at IS NULL AND pooled_account_id = $1',
      [pool.poolId, new Date(world.venue.now())],
    );
    while (await takeHarvestTurn(worker)) {
      // until no cycle is due
    }
    await takeTransferTurn(engine);
    await world.chain.finalize();
    world.venue.advance(11_000);
  }
  // The result is decided again from the same facts; what it would move is held until a person has looked.
  const [cycle] = await restored<{ status: string; result: string }>(
    `SELECT status, result_units::text AS result FROM harvest_cycle
     WHERE pooled_account_id = $1 AND cycle_number = 2`,
    [pool.poolId],
  );
  expect(cycle).toEqual({ status: 'harvesting', result: String(usdt(100) - FEE) });
  const [proxy] = await restored<{ frozen_because: string }>(
    `SELECT frozen_because FROM chain_wallet WHERE role = 'pool_proxy' AND owner_id = $1`,
    [pool.poolId],
  );
  expect(proxy?.frozen_because).toBe('chain_ahead');
  expect(await balances()).toEqual(before);
});

test('a loss beyond all capital fails the cycle until money that covers it is accepted by two people', async () => {
  const pool = await addTrading(1_000);
  const { poolId, uid, members } = pool;
  // A capital that is smaller than what lies at the exchange: no rule allows it, so the books are bent by hand.
  await world.chain.pay(pool.proxy, usdt(600));
  await world.chain.finalize();
  await world.readChain();
  const memberId = members[0]?.id as string;
  await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    postJournal(tx, poolWithdrawalPaid({ poolId, memberId }, usdt(600), { type: 'test', id: poolId })),
  );
  await world.owner(
    'UPDATE harvest_cycle SET frozen_capital_units = $2 WHERE pooled_account_id = $1 AND cycle_number = 1',
    [poolId, usdt(400)],
  );
  world.earn(uid, -usdt(1_000));
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'processing_invoices');
  await rounds(2);
  const progress = await world.ask('GET /api/pooled-accounts/{id}/harvest/progress', {
    params: { id: poolId },
  });
  const { evidence, valuation } = progress.body.data;
  expect(valuation).toMatchObject({ result: '-1000', uncovered: '600' });
  expect(
    (await world.act(poolId, { action: 'approve', evidence_id: evidence?.id }, world.other)).status,
  ).toBe(200);
  await world.until(poolId, 'failed');
  await rounds(2);
  expect(await world.booksOf(poolId)).toEqual({ pool_shortfall: usdt(600), pool_unexplained: usdt(600) });
  expect((await world.act(poolId, { action: 'retry' })).body.error).toBe('decision_required');

  const { body } = await world.ask('GET /api/pooled-accounts/{id}/arrivals', {
    params: { id: poolId },
    query: {},
  });
  // What covers the shortfall can be nothing else.
  expect(body.meta.resolvable).toEqual({ is_return: '0', sent_back: '0', covers_shortfall: '600' });
  const place = { id: poolId, arrivalId: body.data[0]?.id as string };
  const proposed = await world.ask('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
    params: place,
    body: { kind: 'covers_shortfall', amount: '600', evidence: 'the operator paid it in' },
  });
  const confirmed = await world.askAnything(
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm',
    { params: { ...place, decisionId: proposed.body.data.id } },
    {},
    world.other,
  );
  expect(confirmed.status).toBe(200);
  expect(await world.booksOf(poolId)).toEqual({});

  const propose = async (kind: 'repeat' | 'funding_lost') =>
    world.askAnything('POST /api/pooled-accounts/{id}/harvest/resolution', {
      params: { id: poolId },
      body: {
        kind,
        evidence: 'the shortfall is covered',
        version: (await world.pool(poolId)).current_harvest_cycle.version,
      },
    });
  // Nothing was sent to the exchange at this step, so nothing of it can be lost.
  expect(await propose('funding_lost')).toMatchObject({ status: 409, body: { error: 'invalid_status' } });
  const proposal = await propose('repeat');
  const resolved = await world.askAnything(
    'POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm',
    { params: { id: poolId, resolutionId: proposal.body.data.proposal?.id as string } },
    {},
    world.other,
  );
  expect(resolved.status).toBe(200);
  await world.until(poolId, 'harvesting');
  expect(await world.booksOf(poolId)).toEqual({});
});

test('a step that an outage of the database ends leaves no reason at its cycle', async () => {
  const { poolId } = await addTrading(500);
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  // The cycle is claimed, and what its step writes is lost.
  const db = createFailingDatabase(world.db, { writes: [null, DATABASE_LOST] });
  await takeHarvestTurn({ ...world.worker, db });
  expect(
    await world.owner('SELECT reason FROM harvest_cycle WHERE pooled_account_id = $1 AND ended_at IS NULL', [
      poolId,
    ]),
  ).toEqual([{ reason: null }]);
});
