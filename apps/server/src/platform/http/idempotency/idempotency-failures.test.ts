import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callSql, createIdempotentCalls } from '../../../../../../tests/support/idempotent-calls.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import type { WriteTx } from '../../db/database.ts';
import { Refusal } from '../../refusal.ts';

let payments: Awaited<ReturnType<typeof createIdempotentCalls>>;
beforeAll(async () => {
  payments = await createIdempotentCalls();
});
afterAll(() => payments.close());

const pay: typeof payments.pay = (...args) => payments.pay(...args);
const effects = (name: string) => payments.effects(name);

test('a refusal is replayed, and its effect undone', async () => {
  const [key, name] = [randomUUID(), randomUUID()];
  const refuse = async () => {
    throw new Refusal('not_found', { message: 'Not found: no such thing' });
  };
  const first = await payments.whileDoing(refuse, () => pay(key, { name }));
  expect(first).toMatchObject({ status: 404, error: 'not_found', isReplay: false });
  expect(await pay(key, { name })).toEqual({ ...first, isReplay: true });
  expect(await effects(name)).toEqual({ made: 0, audited: 0 });
});

async function loseConnection(tx: WriteTx): Promise<void> {
  const pid = await callSql(tx, 'pg_backend_pid');
  await asOwner(payments.world.ownerUrl, 'SELECT pg_terminate_backend($1)', [pid]);
}

test.each<[string, number, (tx: WriteTx) => Promise<unknown>]>([
  ['a failure of ours', 500, async () => Promise.reject(new Error('boom'))],
  ['an outage', 503, async () => Promise.reject(new Refusal('unavailable'))],
  ['too many requests', 429, async () => Promise.reject(new Refusal('rate_limited'))],
  ['a lost connection', 503, loseConnection],
  [
    'a constraint that fails at the commit',
    422,
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
  const failed = await payments.whileDoing(fail, () => pay(key, { name }));
  expect(failed).toMatchObject({ status, isReplay: false });
  expect(await effects(name)).toEqual({ made: 0, audited: 0 });
  expect(await pay(key, { name })).toMatchObject({ status: 201, isReplay: false });
  expect(await effects(name)).toEqual({ made: 1, audited: 1 });
});

test('an answer that is not the contract’s is not kept, and its effect undone', async () => {
  const [key, name] = [randomUUID(), `wrong ${randomUUID()}`];
  expect(await pay(key, { name })).toMatchObject({ status: 500, error: 'internal_error' });
  expect(await effects(name)).toEqual({ made: 0, audited: 0 });
});
