import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from './worker-actor.ts';

// What an API of the version before stores while an upgrade runs. Goes with its tables.

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product?.close());

const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<R>(product.ownerUrl, text, values);
const run = (db: Database, statement: string) =>
  db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => sql.raw(statement).execute(tx.sql));
/** Its statements, with the login of an API. */
const storeBilling = (id: string, state: string, kind: string, subject: string) =>
  run(
    product.apiDb,
    `INSERT INTO billing_event (id, type, subject_kind, subject_id, state, happened_at)
     VALUES ('${id}', 'invoice.paid', '${kind}', '${subject}', '${state}', now()) ON CONFLICT (id) DO NOTHING`,
  );
const storeHosted = (id: string, kind: string, subject: string, at = 'now()', hostedId = 'NULL') =>
  run(
    product.apiDb,
    `INSERT INTO identity.hosted_event (id, type, subject_kind, subject_id, hosted_id, state, happened_at)
     VALUES ('${id}', 'x', '${kind}', '${subject}', ${hostedId}, 'waiting', ${at}) ON CONFLICT (id) DO NOTHING`,
  );
const takeOver = () => run(product.db, 'SELECT app.take_over_events()');
const jobs = () =>
  owner<{ name: string; key: string; since: string | null }>(
    `SELECT name, singleton_key AS key, data ->> 'since' AS since FROM pgboss.job
     WHERE name IN ('stripe-sync', 'clerk-sync') ORDER BY name, key`,
  );
const endedSessions = async () =>
  (
    await owner<{ id: string }>(
      'SELECT id FROM identity.hosted_session WHERE ended_at IS NOT NULL ORDER BY 1',
    )
  ).map(({ id }) => id);
const waiting = () =>
  owner(`SELECT id FROM billing_event WHERE state = 'waiting'
    UNION ALL SELECT id FROM identity.hosted_event WHERE state = 'waiting' ORDER BY 1`);
const clear = () =>
  owner(`DELETE FROM pgboss.job; DELETE FROM billing_event; DELETE FROM identity.hosted_event;
    DELETE FROM identity.hosted_session`);

/** Everything that waits, in the words of that version. */
async function storeAll() {
  await storeBilling('evt_1', 'waiting', 'customer', 'cus_1');
  await storeBilling('evt_1', 'waiting', 'customer', 'cus_1');
  await storeBilling('evt_2', 'waiting', 'customer', 'cus_1');
  await storeBilling('evt_3', 'waiting', 'charge', 'ch_1');
  await storeBilling('evt_4', 'ignored', 'customer', 'cus_ignored');
  await storeHosted('msg_1', 'user', 'user_1');
  await storeHosted('msg_2', 'session', 'sess_1', 'now()', "'user_1'");
  await storeHosted('own_1', 'ended_sessions', 'user_2', "'2026-01-01T06:00Z'");
  await storeHosted('own_2', 'ended_sessions', 'user_2', "'2026-01-01T02:00Z'");
}
const EXPECTED = [
  { name: 'clerk-sync', key: 'ended_sessions:user_2', since: '2026-01-01T06:00:00+00:00' },
  { name: 'clerk-sync', key: 'user:user_1', since: null },
  { name: 'stripe-sync', key: 'charge:ch_1', since: null },
  { name: 'stripe-sync', key: 'customer:cus_1', since: null },
];

test('what an API of the version before stores is a job at once', async () => {
  await clear();
  await storeAll();
  expect(await jobs()).toEqual(EXPECTED);
  expect(await endedSessions()).toEqual(['sess_1']);
  // For a worker of its version.
  expect(await waiting()).toHaveLength(7);
});

test('without the queues nothing is refused, and a worker takes over what waits', async () => {
  await clear();
  await owner(
    `CREATE TABLE earlier_queue AS SELECT * FROM pgboss.queue WHERE name LIKE '%-sync';
     DELETE FROM pgboss.queue WHERE name LIKE '%-sync'`,
  );
  await storeAll();
  expect([await jobs(), (await waiting()).length]).toEqual([[], 7]);
  await owner('INSERT INTO pgboss.queue SELECT * FROM earlier_queue');
  await owner('DELETE FROM identity.hosted_session');
  await takeOver();
  expect(await jobs()).toEqual(EXPECTED);
  expect(await endedSessions()).toEqual(['sess_1']);
  expect(await waiting()).toEqual([]);
  await takeOver();
  expect(await jobs()).toEqual(EXPECTED);
});
