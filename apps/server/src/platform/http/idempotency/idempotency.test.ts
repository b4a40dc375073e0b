import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callSql, createIdempotentCalls } from '../../../../../../tests/support/idempotent-calls.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { purgeIdempotentCalls } from './idempotent-calls.store.ts';

let payments: Awaited<ReturnType<typeof createIdempotentCalls>>;
beforeAll(async () => {
  payments = await createIdempotentCalls();
});
afterAll(() => payments.close());

const pay: typeof payments.pay = (...args) => payments.pay(...args);
const effects = (name: string) => payments.effects(name);

test.each(['object', 'text'])('a finished call is replayed to the byte: %s', async (kind) => {
  const [key, name] = [randomUUID(), `${kind} ${randomUUID()}`];
  const first = await pay(key, { name });
  expect(first).toMatchObject({ status: 201, isReplay: false });
  const again = await pay(key, { note: 'none', name });
  expect(again).toEqual({ ...first, isReplay: true });
  expect(await effects(name)).toEqual({ made: 1, audited: 1 });
});

test('without a key, or with another one, the call is another call', async () => {
  const name = randomUUID();
  for (const key of [undefined, undefined, 'a', 'b']) expect((await pay(key, { name })).status).toBe(201);
  expect(await effects(name)).toEqual({ made: 4, audited: 4 });
});

test('the same key with another request is refused, and nothing is done', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  await pay(key, { name }, { url: '/api/test/payments/1' });
  for (const [payload, url] of [
    [{ name, note: 'other' }, '/api/test/payments/1'],
    [{ name }, '/api/test/payments/2'],
  ] as const)
    expect(await pay(key, payload, { url })).toMatchObject({ status: 422, error: 'idempotency_key_reused' });
  expect(await effects(name)).toEqual({ made: 1, audited: 1 });
});

test('a key belongs to its caller and its route', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  await pay(key, { name });
  expect(await pay(key, { name }, { as: payments.other })).toMatchObject({ status: 201, isReplay: false });
  expect(await pay(key, { name }, { url: '/api/test/other' })).toMatchObject({
    status: 201,
    isReplay: false,
  });
  expect(await effects(name)).toMatchObject({ made: 3 });
});

test('of fifty simultaneous calls one runs; the others are asked to wait, and get its answer afterwards', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  const answers = await payments.whileDoing(
    (tx) => callSql(tx, 'pg_sleep', 0.05),
    () => Promise.all(Array.from({ length: 50 }, () => pay(key, { name }))),
  );
  expect(answers.filter(({ status, isReplay }) => status === 201 && !isReplay)).toHaveLength(1);
  for (const { status, error } of answers.filter(({ status }) => status !== 201))
    expect([status, error]).toEqual([409, 'idempotency_in_flight']);
  expect(await pay(key, { name })).toMatchObject({ status: 201, isReplay: true });
  expect(await effects(name)).toEqual({ made: 1, audited: 1 });
});

test('the document describes the header and its errors', () => {
  const call = payments.document.paths?.['/api/test/payments']?.post;
  expect(call?.parameters).toMatchObject([{ in: 'header', name: 'idempotency-key', required: false }]);
  expect(Object.keys(call?.responses ?? {})).toEqual(expect.arrayContaining(['201', '409', '422']));
});

test('a public call cannot have keys: they belong to a caller', () => {
  expect(String(payments.publicRefusal)).toMatch(/public call/);
});

test.each(['', 'x'.repeat(201), 'two words', 'ü'])('refuses the key %s', async (key) => {
  expect(await pay(key, { name: 'x' })).toMatchObject({ status: 400, error: 'validation_failed' });
});

test('an answer is kept for thirty days and then forgotten', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  await pay(key, { name });
  const kept = async () =>
    (await asOwner(payments.world.ownerUrl, 'SELECT FROM idempotent_call WHERE key = $1', [key])).length;
  const inDays = (days: number) => () => new Date(Date.now() + days * 86_400_000);
  await purgeIdempotentCalls(payments.world.db, inDays(29));
  expect(await kept()).toBe(1);
  await purgeIdempotentCalls(payments.world.db, inDays(31));
  expect(await kept()).toBe(0);
  expect(await pay(key, { name })).toMatchObject({ isReplay: false });
});

test('one that ran out and was not purged yet makes room', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  await pay(key, { name });
  await asOwner(payments.world.ownerUrl, 'UPDATE idempotent_call SET expires_at = now() WHERE key = $1', [
    key,
  ]);
  expect(await pay(key, { name: `${name} again` })).toMatchObject({ status: 201, isReplay: false });
});

test('kept answers are seen by their caller only', async () => {
  const count = async (caller: string, scope: string) => {
    const client = await payments.world.pool.connect();
    await client.query('BEGIN');
    await client.query(
      "SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.caller', $1, true), set_config('copydesk.scope', $2, true), set_config('copydesk.provider_ids', '', true)",
      [caller, scope],
    );
    const { rows } = await client.query('SELECT count(*)::int AS n FROM idempotent_call');
    await client.query('ROLLBACK');
    client.release();
    return rows[0].n;
  };
  const [row] = await asOwner<{ caller: string }>(
    payments.world.ownerUrl,
    'SELECT caller FROM idempotent_call LIMIT 1',
  );
  expect(await count(row?.caller as string, 'providers')).toBeGreaterThan(0);
  expect(await count('user:somebody', 'providers')).toBe(0);
  expect(await count('', '')).toBe(0);
});
