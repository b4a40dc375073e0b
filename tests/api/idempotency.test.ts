import { randomUUID } from 'node:crypto';
import type { CallKey, Entry } from '@copydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { WriteTx } from '../../apps/server/src/platform/db/database.ts';
import { ApiError } from '../../apps/server/src/platform/http/api-error.ts';
import { createGate } from '../../apps/server/src/platform/http/gate.ts';
import { createIdempotency, type Once } from '../../apps/server/src/platform/http/idempotency.ts';
import { purgeIdempotentCalls } from '../../apps/server/src/platform/http/idempotent-calls.store.ts';
import { jsonText } from '../../apps/server/src/platform/http/json-text.ts';
import { mountCalls } from '../../apps/server/src/platform/http/mount-contract.ts';
import { createHttpServer } from '../../apps/server/src/platform/http/server.ts';
import { signInAs } from '../support/identity/callers.ts';
import { createWorld, type World } from '../support/identity/world.ts';
import { asOwner } from '../support/owner.ts';

const body = z.strictObject({ name: z.string(), note: z.string().default('none') });
const answer = z.object({ success: z.literal(true), data: z.object({ id: z.uuid(), name: z.string() }) });
const call = {
  summary: 'x',
  permission: 'super',
  body,
  answer,
  status: 201,
  errors: ['not_found'],
  idempotent: true,
} as const;
const calls: Record<CallKey, Entry> = {
  'POST /api/test/payments': call,
  'POST /api/test/payments/{id}': { ...call, params: z.strictObject({ id: z.string() }) },
  'POST /api/test/other': call,
};

interface Input {
  body: { name: string; note: string };
  once: Once<unknown>;
}

let world: World;
let app: Awaited<ReturnType<typeof createHttpServer>>;
let authorization: string;
let other: string;
/** What the next call does after its effect and before its answer. */
let during: (tx: WriteTx) => Promise<unknown> = async () => {};

/** Creates a community: one that was created twice is two rows. */
async function handle({ body: { name }, once }: Input) {
  return once(async (tx) => {
    const id = randomUUID();
    await tx.sql
      .insertInto('community')
      .values({ id, name: `${name} ${id}` })
      .execute();
    tx.audit({ action: 'test.paid', target: { kind: 'test', id: name } });
    await during(tx);
    return name.startsWith('text')
      ? jsonText(`{"success":true,"data":{"name":"${name}","id":"${id}"}}`)
      : { success: true, data: { id: name.startsWith('wrong') ? 'none' : id, name } };
  });
}

beforeAll(async () => {
  world = await createWorld();
  const { log, identity, db, now } = world;
  app = await createHttpServer({ log, trustedProxies: 0, isSecure: false, endStreams: async () => {} });
  const handlers = Object.fromEntries(Object.keys(calls).map((key) => [key, handle])) as never;
  const mounting = {
    gate: createGate(app, { identity, perMinute: 100_000 }),
    idempotency: createIdempotency({ db, now }),
  };
  mountCalls(app, calls, handlers, mounting);
  expect(() =>
    mountCalls(app, { 'POST /api/test/public': { ...call, permission: 'public' } }, handlers, mounting),
  ).toThrow(/public call/);
  await app.ready();
  authorization = (await signInAs(world, 'super')).authorization;
  await asOwner(
    world.ownerUrl,
    `UPDATE identity.user_access SET super = true FROM identity."user" u
     WHERE u.id = user_id AND u.email LIKE 'staff@%'`,
  );
  other = (await signInAs(world, 'staff')).authorization;
});
afterAll(async () => {
  await app.close();
  await world.close();
});

async function pay(
  key: string | undefined,
  payload: object,
  { url = '/api/test/payments', as = authorization }: { url?: string; as?: string } = {},
) {
  const headers = { authorization: as, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  const response = await app.inject({ method: 'POST', url, headers, payload });
  return {
    status: response.statusCode,
    body: response.body,
    error: response.json().error as string | undefined,
    isReplay: response.headers['idempotent-replayed'] === 'true',
  };
}
const effects = async (name: string) => {
  const [row] = await asOwner<{ made: number; audited: number }>(
    world.ownerUrl,
    `SELECT (SELECT count(*)::int FROM community WHERE name LIKE $1 || ' %') AS made,
       (SELECT count(*)::int FROM audit_entry WHERE target_id = $1) AS audited`,
    [name],
  );
  return row;
};

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
  expect(await pay(key, { name }, { as: other })).toMatchObject({ status: 201, isReplay: false });
  expect(await pay(key, { name }, { url: '/api/test/other' })).toMatchObject({
    status: 201,
    isReplay: false,
  });
  expect(await effects(name)).toMatchObject({ made: 3 });
});

test('of fifty at once one is done; the others are told to wait, and get its answer afterwards', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  during = (tx) => ask(tx, 'pg_sleep', 0.05);
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay(key, { name })));
  during = async () => {};
  expect(answers.filter(({ status, isReplay }) => status === 201 && !isReplay)).toHaveLength(1);
  for (const { status, error } of answers.filter(({ status }) => status !== 201))
    expect([status, error]).toEqual([409, 'idempotency_in_flight']);
  expect(await pay(key, { name })).toMatchObject({ status: 201, isReplay: true });
  expect(await effects(name)).toEqual({ made: 1, audited: 1 });
});

test('a refusal is replayed, and its effect undone', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  during = async () => {
    throw new ApiError('not_found', { message: 'Not found: no such thing' });
  };
  const first = await pay(key, { name });
  during = async () => {};
  expect(first).toMatchObject({ status: 404, error: 'not_found', isReplay: false });
  expect(await pay(key, { name })).toEqual({ ...first, isReplay: true });
  expect(await effects(name)).toEqual({ made: 0, audited: 0 });
});

/** Calls a function of PostgreSQL. */
async function ask(tx: WriteTx, name: string, ...args: number[]): Promise<unknown> {
  const row = await tx.sql
    .selectNoFrom((eb) =>
      eb
        .fn(
          name,
          args.map((arg) => eb.val(arg)),
        )
        .as('answer'),
    )
    .executeTakeFirst();
  return row?.answer;
}

async function loseConnection(tx: WriteTx): Promise<void> {
  const pid = await ask(tx, 'pg_backend_pid');
  await asOwner(world.ownerUrl, 'SELECT pg_terminate_backend($1)', [pid]);
}

test.each<[string, number, (tx: WriteTx) => Promise<unknown>]>([
  ['a failure of ours', 500, async () => Promise.reject(new Error('boom'))],
  ['an outage', 503, async () => Promise.reject(new ApiError('unavailable'))],
  ['too many requests', 429, async () => Promise.reject(new ApiError('rate_limited'))],
  ['a lost connection', 503, loseConnection],
  [
    'a constraint that fails at the commit',
    500,
    (tx) =>
      tx.sql
        .insertInto('journal')
        .values({
          kind: 'gas_spent',
          source_type: 'test',
          source_id: randomUUID(),
          actor_kind: 'system',
          actor_id: 'x',
          actor_name: 'x',
        })
        .execute(),
  ],
])('%s leaves neither effect nor note: the same key may try again', async (_what, status, fail) => {
  const [key, name] = [randomUUID(), randomUUID()];
  during = fail;
  expect(await pay(key, { name })).toMatchObject({ status, isReplay: false });
  during = async () => {};
  expect(await effects(name)).toEqual({ made: 0, audited: 0 });
  expect(await pay(key, { name })).toMatchObject({ status: 201, isReplay: false });
  expect(await effects(name)).toEqual({ made: 1, audited: 1 });
});

test('an answer that is not the contract’s is not kept, and its effect undone', async () => {
  const [key, name] = [randomUUID(), `wrong ${randomUUID()}`];
  expect(await pay(key, { name })).toMatchObject({ status: 500, error: 'internal_error' });
  expect(await effects(name)).toEqual({ made: 0, audited: 0 });
});

test.each(['', 'x'.repeat(201), 'two words', 'ü'])('refuses the key %s', async (key) => {
  expect(await pay(key, { name: 'x' })).toMatchObject({ status: 400, error: 'validation_failed' });
});

test('an answer is kept for thirty days and then forgotten', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  await pay(key, { name });
  const kept = async () =>
    (await asOwner(world.ownerUrl, 'SELECT FROM idempotent_call WHERE key = $1', [key])).length;
  const inDays = (days: number) => () => new Date(Date.now() + days * 86_400_000);
  await purgeIdempotentCalls(world.db, inDays(29));
  expect(await kept()).toBe(1);
  await purgeIdempotentCalls(world.db, inDays(31));
  expect(await kept()).toBe(0);
  expect(await pay(key, { name })).toMatchObject({ isReplay: false });
});

test('one that ran out and was not purged yet makes room', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  await pay(key, { name });
  await asOwner(world.ownerUrl, 'UPDATE idempotent_call SET expires_at = now() WHERE key = $1', [key]);
  expect(await pay(key, { name: `${name} again` })).toMatchObject({ status: 201, isReplay: false });
});

test('kept answers are seen by their caller only', async () => {
  const count = async (caller: string, scope: string) => {
    const client = await world.pool.connect();
    await client.query('BEGIN');
    await client.query(
      "SELECT set_config('copydesk.caller', $1, true), set_config('copydesk.scope', $2, true), set_config('copydesk.provider_ids', '', true)",
      [caller, scope],
    );
    const { rows } = await client.query('SELECT count(*)::int AS n FROM idempotent_call');
    await client.query('ROLLBACK');
    client.release();
    return rows[0].n;
  };
  const [row] = await asOwner<{ caller: string }>(
    world.ownerUrl,
    'SELECT caller FROM idempotent_call LIMIT 1',
  );
  expect(await count(row?.caller as string, 'providers')).toBeGreaterThan(0);
  expect(await count('user:somebody', 'providers')).toBe(0);
  expect(await count('', '')).toBe(0);
});
