import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { askAdmin } from '../../../../../tests/support/run-admin.ts';
import { send } from '../../../../../tests/support/send.ts';
import { AUDIT_KEY_TEXT, createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { readMigrations } from '../../platform/db/installation/migrate.ts';
import { beat, endBeat } from '../../platform/work/heartbeat.store.ts';

vi.mock('../../platform/db/installation/migrate.ts', { spy: true });

const METRICS_TOKEN = 'metrics-token-of-a-test';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02, env: { METRICS_TOKEN } });
});
afterAll(() => product?.close());

const ask = async (headers: Record<string, string> = {}, authorization?: string) => {
  const answer = await send(product.app, 'GET /api/ready', {}, authorization, headers);
  return { status: answer.statusCode, ...answer.json() };
};
/** Of a proxy before us: such a request comes from anywhere. */
const FROM_FAR = { 'x-forwarded-for': '203.0.113.9' };
const worker = crypto.randomUUID();
const silentFor = (time: string) =>
  asOwner(product.ownerUrl, `UPDATE worker_heartbeat SET seen_at = now() - interval '${time}'`);

test('trouble of workers never takes a process out, and is in the details', async () => {
  const problems = [expect.stringMatching(/^No worker has reported/)];
  const expected = { status: 200, data: { status: 'degraded', workers: 0, writes: true, problems } };
  expect(await ask()).toMatchObject(expected);

  await beat(product.db, worker, { problem: null, noted: null });
  expect(await ask()).toMatchObject({
    status: 200,
    data: { status: 'ready', workers: 1, audit: 'intact', problems: [] },
  });
  await silentFor('45 seconds');
  expect(await ask()).toMatchObject({ status: 200, data: { status: 'ready', workers: 0 } });
  await silentFor('61 seconds');
  expect(await ask()).toMatchObject(expected);
});

test('what vendors told and no attempt could read is in the details until it is sent again', async () => {
  await beat(product.db, worker, { problem: null, noted: null });
  await asOwner(
    product.ownerUrl,
    `INSERT INTO pgboss.job (name, singleton_key, source_name, data, output, created_on)
     SELECT 'sync-failed', 'user:' || id, 'clerk-sync', jsonb_build_object('kind', 'user', 'id', id), output,
       timestamptz '2026-01-02T03:04:05Z' + n * interval '1 hour'
     FROM (VALUES ('user_1', '{"message": "unreachable"}'::jsonb, 0), ('user_2', '{"message": "refused"}', 1)) v (id, output, n)`,
  );
  const { status, data } = await ask();
  expect([status, data.status, data.problems]).toEqual([
    200,
    'degraded',
    [
      'Events of Clerk were given up after 20 attempts: 2 subjects are not up to date, the oldest since 2026-01-02T03:04:05Z (unreachable). Run `bin/copydesk admin redrive` once the cause is gone.',
    ],
  ]);
  const listed = await send(
    product.app,
    'GET /api/attention',
    { query: { group: 'system' } },
    await product.signIn('super'),
  );
  const given = listed.json().data.filter(({ kind }: { kind: string }) => kind === 'work_failing');
  expect(given).toMatchObject([
    { title: 'clerk-sync', code: 'given_up', count: 2, since: '2026-01-02T03:04:05Z', turn: 'you' },
  ]);
  const redriven = await askAdmin({ DATABASE_URL: product.ownerUrl, AUDIT_KEY: AUDIT_KEY_TEXT }, 'redrive');
  expect(redriven).toEqual({ code: 0, output: '2 subjects are read again.\n' });
  expect(await ask()).toMatchObject({ data: { status: 'ready', problems: [] } });
});

test('details are for this machine, the token of monitoring and super admins alone', async () => {
  const detailed = { status: 200, data: { database: true } };
  expect(await ask()).toMatchObject(detailed);
  expect(await ask(FROM_FAR, `Bearer ${METRICS_TOKEN}`)).toMatchObject(detailed);
  expect(await ask(FROM_FAR, await product.signIn('super'))).toMatchObject(detailed);

  const empty = { status: 200, success: true };
  expect(await ask(FROM_FAR)).toEqual(empty);
  for (const other of [
    await product.signIn('staff'),
    await product.signIn('not-admin'),
    `Bearer ${METRICS_TOKEN}x`,
    METRICS_TOKEN,
    'Bot nothing',
    'nonsense',
  ])
    expect(await ask(FROM_FAR, other)).toEqual(empty);
});

test('a schema older than the code is a 503, whose reason strangers do not learn', async () => {
  const [last] = await asOwner(
    product.ownerUrl,
    `DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration) RETURNING *`,
  );
  expect(await ask()).toMatchObject({ status: 503, message: expect.stringContaining('not migrated') });
  expect(await ask(FROM_FAR)).toEqual({
    status: 503,
    success: false,
    error: 'unavailable',
    message: 'The service is not available at the moment. Please try again.',
  });
  const columns = Object.keys(last ?? {});
  await asOwner(
    product.ownerUrl,
    `INSERT INTO schema_migration (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(last ?? {}),
  );
  expect((await ask()).status).toBe(200);
});

test('a newer version unpacked over the running one does not take it out', async () => {
  const newer = { name: '9999_newer.sql', text: '', checksum: '' };
  vi.mocked(readMigrations).mockResolvedValue([newer]);
  expect((await ask()).status).toBe(200);
});

test('a restart of the only worker is no problem', async () => {
  await beat(product.db, worker, { problem: null, noted: null });
  await endBeat(product.db, worker);
  expect(await ask()).toMatchObject({
    status: 200,
    data: { status: 'ready', workers: 0, audit: 'unchecked', problems: [] },
  });
});
