import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { isStopped } from '../../../core/transfers/transfer-gate.store.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { liftConfirmed, resumePayments } from './stops.service.ts';

let product: TestApp;
let first: string;
let second: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  first = await product.signIn('super');
  second = await product.signIn('super-2');
});
afterAll(() => product.close());
const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;
afterEach(async () => {
  await product.operatorDb.write(WHOLE_SCOPE, OPERATOR, (tx) => resumePayments(tx, 'The test is over'));
});

const owner = (statement: string, values: unknown[] = []) =>
  asOwner<Record<string, unknown>>(product.ownerUrl, statement, values);
const as =
  (who: string) =>
  async (call: string, parts: Parameters<typeof send>[2] = {}) => {
    const answer = await send(product.app, call, parts, who);
    return { status: answer.statusCode, ...answer.json() };
  };
const stop = (who = first, reason = 'Wrong recipients') =>
  as(who)('POST /api/payments/stop', { body: { reason } });
const stateFor = async (who: string) => (await as(who)('GET /api/payments/stop')).data;
const ask = async (who = first, reason = 'All recipients are right') => {
  const { id } = (await stateFor(first)).stop;
  return as(who)('POST /api/payments/stop/lifts', { body: { stop_id: id, reason } });
};
const decide = (act: 'confirm' | 'withdraw', id: string, who: string) =>
  as(who)(`POST /api/payments/stop/lifts/{id}/${act}`, { params: { id } });
const work = () =>
  liftConfirmed({
    db: product.db,
    log: product.log,
    rules: { approverMinAgeMs: 0 },
    now: () => new Date(),
  });
const stateOfStop = async () => (await as(first)('GET /api/payments/stops')).data[0] as { id: string };
const isHeld = () => product.db.read(WHOLE_SCOPE, isStopped);

test('one super admin stops; two lift, and a worker carries it out', async () => {
  expect(await stateFor(first)).toEqual({ stopped_since: null, stop: null });
  const stopped = await stop();
  expect(stopped.data.stop).toMatchObject({
    reason: 'Wrong recipients',
    origin: 'console',
    stopped_by: 'super@demo.example',
    lift: null,
  });
  // Another stop changes nothing.
  expect((await stop(second, 'Another reason')).data).toEqual(stopped.data);

  const { lift } = (await ask()).data.stop;
  expect(lift).toMatchObject({ state: 'waiting', requested_by: 'super@demo.example', decided_by: null });
  expect(lift.refusal).not.toBeNull();
  expect((await ask(second)).error).toBe('lift_waiting');
  expect((await decide('confirm', lift.id, first)).error).toBe('own_approval');
  expect((await stateFor(second)).stop.lift.refusal).toBeNull();
  const confirmed = await decide('confirm', lift.id, second);
  expect(confirmed.data.stop.lift).toMatchObject({ state: 'confirmed', decided_by: 'super-2@demo.example' });
  expect(await isHeld()).toBe(true);
  expect((await decide('confirm', lift.id, second)).error).toBe('not_found');
  await work();
  expect(await stateFor(first)).toEqual({ stopped_since: null, stop: null });
  expect((await as(first)('GET /api/payments/stops')).data[0]).toMatchObject({
    id: stopped.data.stop.id,
    lifted_by: 'super-2@demo.example',
    lift_requested_by: 'super@demo.example',
    lift_reason: 'All recipients are right',
  });
  const audited = await owner(
    `SELECT actor_kind, action, after->>'origin' AS origin FROM audit_entry WHERE target_id = $1 ORDER BY seq`,
    [stopped.data.stop.id],
  );
  expect(audited).toEqual([
    { actor_kind: 'user', action: 'payments.stopped', origin: 'console' },
    { actor_kind: 'user', action: 'payments.lift_requested', origin: null },
    { actor_kind: 'user', action: 'payments.lift_confirmed', origin: null },
    { actor_kind: 'system', action: 'payments.resumed', origin: 'console' },
  ]);
});

test('two stops, two requests and two decisions at once: one of each counts', async () => {
  const before = Number((await owner('SELECT count(*) FROM transfer_stop'))[0]?.count);
  const stopped = await Promise.all([stop(), stop(second), stop(), stop(second)]);
  expect(stopped.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(Number((await owner('SELECT count(*) FROM transfer_stop'))[0]?.count)).toBe(before + 1);
  const asked = await Promise.all([ask(), ask(), ask()]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const { lift } = (await stateFor(first)).stop;
  const decided = await Promise.all([
    decide('confirm', lift.id, second),
    decide('confirm', lift.id, second),
    decide('confirm', lift.id, second),
  ]);
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  await Promise.all([work(), work()]);
  const lifted = await owner(`SELECT FROM audit_entry WHERE action = 'payments.resumed' AND target_id = $1`, [
    (await stateOfStop()).id,
  ]);
  expect(lifted.length).toBe(1);
  expect(await isHeld()).toBe(false);
});

test('a lift can be withdrawn, also after its confirmation, and belongs to the stop that was seen', async () => {
  await stop();
  const waiting = (await ask()).data.stop.lift;
  expect((await decide('withdraw', waiting.id, second)).data.stop.lift).toBeNull();
  const again = (await ask()).data.stop.lift;
  await decide('confirm', again.id, second);
  await decide('withdraw', again.id, first);
  await work();
  expect(await isHeld()).toBe(true);
  const { id } = (await stateFor(first)).stop;
  await product.operatorDb.write(WHOLE_SCOPE, OPERATOR, (tx) => resumePayments(tx, 'By hand'));
  await stop();
  const body = { stop_id: id, reason: 'Late' };
  expect((await as(first)('POST /api/payments/stop/lifts', { body })).error).toBe('not_found');
});

test('a worker lifts nothing for a person who may no longer decide', async () => {
  await stop();
  for (const who of ['super', 'super-2']) {
    const { lift } = (await ask()).data.stop;
    await decide('confirm', lift.id, second);
    const disable = (at: string) =>
      owner(
        `UPDATE identity.user_access SET disabled_at = ${at} WHERE user_id = (
           SELECT id FROM identity.person WHERE email = $1)`,
        [`${who}@demo.example`],
      );
    await disable('now()');
    await work();
    await disable('NULL');
    expect(await isHeld(), who).toBe(true);
    const [row] = await owner('SELECT state FROM transfer_stop_lift WHERE id = $1', [lift.id]);
    expect(row?.state).toBe('refused');
  }
});

test('staff learn that payments are stopped, and nothing else', async () => {
  await stop();
  const staff = await product.signIn('staff');
  const seen = await stateFor(staff);
  expect(seen).toEqual({ stopped_since: expect.any(String), stop: null });
  expect((await stop(staff)).status).toBe(403);
  expect((await as(staff)('GET /api/payments/stops')).status).toBe(403);
  const [event] = await owner(
    `SELECT provider_ids FROM change_event WHERE topic = 'stop' ORDER BY id DESC LIMIT 1`,
  );
  const providers = await owner('SELECT id FROM provider');
  const told = event?.provider_ids as string[];
  expect(told.toSorted()).toEqual(providers.map(({ id }) => id).toSorted());
});

/** What the login of the API gets from one statement; null: it ran. Nothing of it stays. */
async function attempt(statement: string, values: unknown[] = []): Promise<string | null> {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(
    "SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true)",
  );
  return client
    .query(statement, values)
    .then(() => null)
    .catch((error: { code: string }) => error.code)
    .finally(() => client.query('ROLLBACK'));
}
const REFUSED = '42501';
const VIOLATES = ['23514', '23000'];

test('the login of the API lifts, changes or hides no stop', async () => {
  await stop();
  const { lift } = (await ask()).data.stop;
  const id = async (email: string) =>
    (await owner('SELECT id FROM identity.person WHERE email = $1', [email]))[0]?.id as string;
  const [requester, approver, staff] = await Promise.all(
    ['super@demo.example', 'super-2@demo.example', 'staff@demo.example'].map(id),
  );
  for (const statement of [
    'UPDATE transfer_gate SET stopped_since = NULL',
    'DELETE FROM transfer_gate',
    'INSERT INTO transfer_gate DEFAULT VALUES',
    'LOCK TABLE transfer_gate IN ROW SHARE MODE',
    'SELECT FROM transfer_gate FOR SHARE',
    'UPDATE transfer_stop SET lifted_at = now()',
    "UPDATE transfer_stop SET reason = 'Another'",
    'DELETE FROM transfer_stop',
    'SELECT app.hold_transfer_gate()',
    "SELECT app.resume_payments('By the API', 'operator', 'Operator')",
    "SELECT app.end_stop('command', 'By the API', 'operator', 'Operator')",
    'DELETE FROM transfer_stop_lift',
    "UPDATE transfer_stop_lift SET requested_by_id = 'another'",
    "INSERT INTO transfer_stop_lift (stop_id, reason, requested_by_id, requested_by, state) SELECT id, 'x', 'a', 'a', 'confirmed' FROM transfer_stop",
    "SELECT app.stop_payments('command', 'As an operator', 'operator', 'Operator')",
    `SELECT app.stop_payments('console', 'As staff', '${staff}', 'Staff')`,
  ])
    expect(await attempt(statement), statement).toBe(REFUSED);
  expect(await attempt('SELECT app.lift_stop($1)', [lift.id])).toBe(REFUSED);

  const confirm = `UPDATE transfer_stop_lift SET state = 'confirmed', decided_by_id = $1, decided_by = 'x', decided_at = now()
    WHERE state = 'waiting'`;
  // By one person, by none, by one who is no super admin.
  expect(VIOLATES).toContain(await attempt(confirm, [requester]));
  expect(VIOLATES).toContain(await attempt(confirm, [crypto.randomUUID()]));
  expect(VIOLATES).toContain(await attempt(confirm, [staff]));
  expect(await attempt(confirm, [approver])).toBeNull();
  expect(VIOLATES).toContain(
    await attempt(
      `UPDATE transfer_stop_lift SET state = 'lifted', decided_by_id = $1, decided_by = 'x', decided_at = now()`,
      [approver],
    ),
  );
  expect(await isHeld()).toBe(true);
});
