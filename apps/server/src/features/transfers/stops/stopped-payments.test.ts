import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { askAdmin } from '../../../../../../tests/support/run-admin.ts';
import { AUDIT_KEY_TEXT } from '../../../../../../tests/support/test-keys.ts';
import { until } from '../../../../../../tests/support/until.ts';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';
import { isStopped } from '../../../core/transfers/transfer-gate.store.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { resumePayments } from './stops.service.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  community = await world.orderPayout();
});
afterEach(async () => {
  await world.heal();
  await resume('The test is over');
  await world.payOut();
});

const admin = (...args: string[]) =>
  askAdmin({ DATABASE_URL: world.ownerUrl, AUDIT_KEY: AUDIT_KEY_TEXT, PORT: '3000' }, ...args);
/** As the command does, without a process: the last test runs it. */
const resume = (reason: string) =>
  world.operatorDb.write(WHOLE_SCOPE, { kind: 'system', id: 'operator', name: 'Operator' }, (tx) =>
    resumePayments(tx, reason),
  );
const stop = async (reason = 'Wrong recipients') => {
  const answer = await world.call('POST', '/api/payments/stop', { reason });
  expect(answer.status).toBe(200);
  return answer.body;
};
const isHeld = () => world.db.read(WHOLE_SCOPE, isStopped);
/** A connection in the role of a worker, with a transaction of its own. */
async function connectWorker(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(
    "SELECT set_config('role', 'copydesk_worker', true), set_config('copydesk.scope', 'all', true)",
  );
  return client;
}
const waitersFor = (text: string) =>
  world.owner(
    `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1`,
    [`%${text}%`],
  );
const payoutOf = async () => (await world.payoutsOf(community.id))[0]?.id as string;
const waitOf = async (id: string) =>
  (await world.call<{ data: { waits_for: { reason: string } | null } }>('GET', `/api/sweep-operations/${id}`))
    .body.data.waits_for;

test('while payments are stopped nothing is signed and no coin is ordered, and what waits says so', async () => {
  await stop();
  await world.turn();
  await world.turn();
  expect(await world.attemptsOf(community)).toEqual([]);
  const topups = await world.owner(`SELECT FROM transfer WHERE kind = 'gas_topup' AND state = 'planned'`);
  expect(topups).toEqual([]);
  expect(await waitOf(await payoutOf())).toMatchObject({ reason: 'payments_stopped', detail: null });
  await resume('They were right');
  expect((await waitOf(await payoutOf()))?.reason).not.toBe('payments_stopped');
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a stop that commits while a worker is about to sign is obeyed', async () => {
  await world.untilConsolidated(community);
  const before = await world.attemptsOf(community);
  const client = await connectWorker();
  await client.query('SELECT FROM transfer WHERE community_id = $1 FOR NO KEY UPDATE', [community.id]);
  const turn = world.turn();
  // It has looked whether payments are stopped, has locked its wallet, and waits for its transfers.
  await until(async () => (await waitersFor('FOR NO KEY UPDATE')).length > 0);
  await stop();
  await client.query('COMMIT');
  await turn;
  expect(await world.attemptsOf(community)).toEqual(before);
  expect((await world.walletOf(community))?.next_nonce).toBe('0');
});

test('a stop waits for a worker that signs, and for one that hangs only briefly', async () => {
  const signing = await connectWorker();
  const held = await signing.query('SELECT app.hold_transfer_gate() AS held');
  expect(held.rows).toEqual([{ held: true }]);
  let isDone = false;
  const stopping = stop().then(() => {
    isDone = true;
  });
  await until(async () => (await waitersFor('stop_payments')).length > 0);
  expect(isDone).toBe(false);
  // Another worker does not overtake the stop.
  const next = await connectWorker();
  const asked = next.query('SELECT app.hold_transfer_gate() AS held');
  await until(async () => (await waitersFor('hold_transfer_gate')).length > 0);
  await signing.query('COMMIT');
  await stopping;
  expect((await asked).rows).toEqual([{ held: false }]);
  await resume('Once more');

  const hanging = await connectWorker();
  await hanging.query('SELECT app.hold_transfer_gate()');
  await stop();
  expect(await isHeld()).toBe(true);
});

test('signed bytes that no server has taken are kept; only cancellations are signed and sent', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  const crash = (step: string) => {
    if (step === 'committed') throw new Error('the worker dies');
  };
  await expect(world.turn({ atStep: crash })).rejects.toThrow('the worker dies');
  await stop();
  for (let nth = 0; nth < 3; nth++) await world.turn({ resendMs: 0, stuckMs: 0 });
  const sent = () =>
    world.owner<{ payout_id: string; nonce: string; attempt: number; is_cancel: boolean; is_sent: boolean }>(
      `SELECT i.payout_id, a.nonce::text, a.attempt, a.is_cancel, a.broadcast_at IS NOT NULL AS is_sent
       FROM transfer_attempt a JOIN transfer i ON i.id = a.transfer_id
       WHERE i.community_id = $1 AND i.kind = 'distribute' ORDER BY a.nonce, a.attempt`,
      [community.id],
    );
  const kept = await sent();
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.every(({ is_sent, attempt }) => !is_sent && attempt === 1)).toBe(true);
  const first = kept[0]?.payout_id as string;

  expect((await admin('cancel', '--id', first)).output).toContain('A worker cancels what is signed');
  await world.turn({ stuckMs: 0 });
  await world.turn({ stuckMs: 0 });
  const after = await sent();
  const ofFirst = after.filter(({ payout_id }) => payout_id === first);
  // Cancelled, and bumped.
  expect(ofFirst.map(({ is_cancel, is_sent }) => [is_cancel, is_sent])).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ]);
  expect(after.filter(({ payout_id }) => payout_id !== first)).toEqual(kept.slice(1));
  await world.chain.node.setAutomine(true);
  await world.payOut();
  expect((await world.payoutsOf(community.id)).find(({ id }) => id === first)).toMatchObject({
    status: 'failed',
    problem: 'cancelled',
  });
  await resume('Reviewed');
  await world.payOut();
  const others = (await world.payoutsOf(community.id)).filter(({ id }) => id !== first);
  expect(others.every(({ status }) => status === 'distributed')).toBe(true);
});

test('what servers have taken before is booked when it is mined, and not sent or signed again', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  const before = await world.attemptsOf(community);
  await stop();
  const calls = vi.fn();
  const chain = world.senderOf(world.chain.url);
  const watched = {
    ...chain,
    broadcast: (raw: `0x${string}`) => {
      calls(raw);
      return chain.broadcast(raw);
    },
  };
  await world.turn({ chain: watched, resendMs: 0, stuckMs: 0 });
  expect(calls).not.toHaveBeenCalled();
  await world.chain.node.setAutomine(true);
  for (let nth = 0; nth < 4 && !(await world.isPaid(community)); nth++) {
    await world.chain.finalize();
    await world.turn();
  }
  expect(await world.paidState(community)).toEqual(PAID);
  expect((await world.attemptsOf(community)).length).toBe(before.length);
});

test('the database refuses other signatures of a worker that knows no stops', async () => {
  await world.untilConsolidated(community);
  const insert = (isCancel: boolean) => `
    UPDATE transfer SET state = 'sent', nonce = 0, sent_at = now() WHERE id = (
      SELECT id FROM transfer WHERE community_id = '${community.id}' AND kind = 'distribute' ORDER BY id LIMIT 1);
    INSERT INTO transfer_attempt (transfer_id, wallet_id, nonce, attempt, is_cancel, hash, raw, max_fee_wei,
      priority_fee_wei, gas_limit)
    SELECT id, wallet_id, nonce, 1, ${isCancel}, '0x' || repeat('9', 64), '0x00', 1, 1, 21000
    FROM transfer WHERE community_id = '${community.id}' AND nonce = 0 AND kind = 'distribute'`;
  await stop();
  for (const isCancel of [false, true]) {
    const client = await connectWorker();
    // A cancellation that no one asked for is none.
    await expect(client.query(insert(isCancel))).rejects.toThrow('payments are stopped');
  }
  await resume('Once more');
  const client = await connectWorker();
  await client.query(insert(false));
  await client.query('ROLLBACK');
});

test('a worker that sets too many transfers aside stops all payments', async () => {
  await world.untilConsolidated(community);
  await world.owner('ALTER TABLE payout DISABLE TRIGGER USER');
  onTestFinished(async () => void (await world.owner('ALTER TABLE payout ENABLE TRIGGER USER')));
  const ids = (await world.payoutsOf(community.id)).map(({ id }) => id);
  const setAside = async (id: string | undefined) => {
    await world.owner('UPDATE payout SET recipient_address = $2 WHERE id = $1', [id, newAddress()]);
    await world.owner(
      `UPDATE transfer SET retry_at = CASE WHEN payout_id = $1 THEN NULL ELSE now() + interval '1 hour' END
       WHERE state = 'planned'`,
      [id],
    );
    await world.turn({ stopAfterSetAside: 2 });
  };
  await setAside(ids[0]);
  expect(await isHeld()).toBe(false);
  // An hour later it does not count any more.
  await world.owner(
    `UPDATE transfer SET ended_at = ended_at - interval '61 minutes' WHERE problem = 'not_backed'`,
  );
  await setAside(ids[1]);
  expect(await isHeld()).toBe(false);
  await setAside(ids[2]);
  expect(await isHeld()).toBe(true);
  const [stopped] = await world.owner(
    'SELECT origin, stopped_by_id, reason FROM transfer_stop WHERE lifted_at IS NULL',
  );
  expect(stopped).toEqual({
    origin: 'alert',
    stopped_by_id: 'worker',
    reason: '2 transfers were set aside within an hour: no fact allows them',
  });
});

test('the command stops and lifts, with a reason, and both are in the audit', async () => {
  expect((await admin('stop')).code).toBe(2);
  expect((await admin('stop', ' ')).code).toBe(2);
  expect(await admin('stop', 'Lost laptop')).toEqual({ code: 0, output: 'All payments are stopped.\n' });
  expect((await admin('stop', 'Lost phone')).output).toBe('All payments were stopped already.\n');
  expect((await admin('resume')).code).toBe(2);
  expect(await isHeld()).toBe(true);
  expect(await admin('resume', 'Found it')).toEqual({ code: 0, output: 'Payments go on.\n' });
  expect((await admin('resume', 'Again')).output).toBe('Payments were not stopped.\n');
  const audited = await world.owner(
    `SELECT actor_id, action, after->>'reason' AS reason, after->>'origin' AS origin FROM audit_entry
     WHERE action LIKE 'payments.%' AND after->>'reason' IN ('Lost laptop', 'Lost phone', 'Found it') ORDER BY seq`,
  );
  expect(audited).toEqual([
    { actor_id: 'operator', action: 'payments.stopped', reason: 'Lost laptop', origin: 'command' },
    { actor_id: 'operator', action: 'payments.resumed', reason: 'Found it', origin: 'command' },
  ]);
});
