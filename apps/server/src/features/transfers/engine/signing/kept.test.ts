import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { askAdmin } from '../../../../../../../tests/support/run-admin.ts';
import { AUDIT_KEY_TEXT } from '../../../../../../../tests/support/test-keys.ts';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';
import { createHeartbeat } from '../heartbeat.ts';
import { takeTransferTurn } from '../transfer-turn.ts';

// The database of this test has no standby. With a real one: kept.long.test.ts.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());

const EMPTY =
  'DATABASE_DURABILITY is synchronous, but no commit waits for a standby: synchronous_standby_names is empty.';
const admin = (...args: string[]) =>
  askAdmin(
    { DATABASE_URL: world.ownerUrl, AUDIT_KEY: AUDIT_KEY_TEXT, DATABASE_DURABILITY: 'synchronous' },
    ...args,
  );
const signed = async () => Number((await world.owner('SELECT count(*) FROM transfer_attempt'))[0]?.count);
const readWait = async (id: string) =>
  (await world.ask('GET /api/sweep-operations/{id}', { params: { id } })).body.data.waits_for;
const forgottenFor = (time: string | null) =>
  world.owner('UPDATE transfer_gate SET standby_forgotten_until = now() + $1::interval', [time]);
/** The database says this of its standbys, and otherwise what is true. */
const pretend = (changes: string) =>
  world.owner(`CREATE OR REPLACE FUNCTION app.replication(OUT timeline text, OUT flushed pg_lsn, OUT confirmed pg_lsn,
      OUT names text, OUT wanted int, OUT connected int, OUT is_hidden boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$ BEGIN
      flushed := pg_current_wal_flush_lsn(); confirmed := flushed; timeline := '00000001'; names := 'db2'; wanted := 1;
      connected := 1; is_hidden := false; ${changes} END $$`);

test('without a standby nothing is signed, which says so, until an operator forgets it for an hour', async () => {
  const engine = world.engineWith({ durability: 'synchronous' });
  const withHeartbeat = createHeartbeat(engine, () => false);
  const turn = () => withHeartbeat((noting) => takeTransferTurn(noting));
  const community = await world.orderPayout();
  await turn();
  expect(await signed()).toBe(0);
  expect(
    await world.owner('SELECT halted_because AS because, halted_detail AS detail FROM transfer_heartbeat'),
  ).toEqual([{ because: 'no_standby', detail: EMPTY }]);
  const [payout] = await world.payoutsOf(community.id);
  expect(await readWait(payout?.id as string)).toMatchObject({ reason: 'no_standby', detail: EMPTY });
  const doctor = await admin('doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.output).toContain(`WRONG\tNothing is paid out. ${EMPTY}\n`);

  expect((await admin('forget-standby')).code).toBe(2);
  const forgotten = await admin('forget-standby', 'The second machine burnt');
  expect(forgotten).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Until 20.*Z payouts are sent without a standby\./),
  });
  expect((await admin('doctor')).output).toMatch(/^WRONG\tPayouts are sent without a standby until 20/m);
  const audited = await world.owner(
    `SELECT actor_id, after->>'reason' AS reason,
       abs(extract(epoch FROM (after->>'until')::timestamptz - at) - 3600) < 60 AS "isAnHour"
     FROM audit_entry WHERE action = 'payments.standby_forgotten'`,
  );
  expect(audited).toEqual([{ actor_id: 'operator', reason: 'The second machine burnt', isAnHour: true }]);
  await world.payOut(engine);
  expect(await world.paidState(community)).toEqual(PAID);
  await forgottenFor(null);
});

test.each([
  ['copydesk_app', false],
  ['copydesk_worker', false],
  ['copydesk_operator', true],
])('%s may forget it: %s', async (role, may) => {
  expect(
    await world.owner(`SELECT has_function_privilege($1, 'app.forget_standby()', 'EXECUTE') AS may`, [role]),
  ).toEqual([{ may }]);
});

test('what no standby has is stored and not sent; neither is a replacement signed', async () => {
  const engine = world.engineWith({ durability: 'synchronous', chain: world.throughFaults(), resendMs: 0 });
  const sends = () => world.rpc.seen.filter(({ method }) => method === 'eth_sendRawTransaction').length;
  const community = await world.orderPayout();
  // The standby that had all leads now: what is stored here, it may not have.
  await pretend(`confirmed := '0/0'; timeline := clock_timestamp()::text;`);
  const before = await signed();
  for (let turn = 0; turn < 3; turn++) await takeTransferTurn(engine);
  expect(await signed()).toBeGreaterThan(before);
  expect(sends()).toBe(0);
  const stored = await signed();
  await pretend('connected := 0;');
  await takeTransferTurn({ ...engine, stuckMs: 0 });
  expect([sends(), await signed()]).toEqual([0, stored]);
  const [payout] = await world.payoutsOf(community.id);
  // A worker that noted something else before: its words are not these.
  await world.owner(
    `UPDATE transfer_heartbeat SET halted_because = 'turn_failed', halted_detail = 'of before', halted_at = now()`,
  );
  expect(await readWait(payout?.id as string)).toMatchObject({ reason: 'no_standby', detail: null });
  await world.owner(`UPDATE transfer_heartbeat SET looked_at = now() - interval '5 minutes'`);
  expect((await readWait(payout?.id as string))?.reason).toBe('no_standby');
  await pretend('');
  await world.payOut(engine);
  expect(await world.paidState(community)).toEqual(PAID);
});

test('settings that know of one machine sign nothing where the database names standbys', async () => {
  await pretend('');
  const community = await world.orderPayout();
  const before = await signed();
  await world.turn();
  expect(await signed()).toBe(before);
  await world.payOut(world.engineWith({ durability: 'managed' }));
  expect(await world.paidState(community)).toEqual(PAID);
});
