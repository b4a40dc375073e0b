import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  poolAccount,
  poolState,
  startSimulatedPools,
} from '../../../../../../tests/support/exchanges/simulated-pools.ts';
import { longTest } from '../../../../../../tests/support/long-test.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import {
  BOX,
  KEYRING,
  POOL_KEY_IDENTITIES,
  POOL_KEYS,
  ROTATED,
} from '../../../../../../tests/support/test-keys.ts';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import { type Owner, ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { rotateMasterKey } from '../../../platform/secrets/rotate-master-key.ts';
import { sealSecret } from '../../../platform/secrets/sealed-secret.ts';
import { createOpeningBox, createSealingBox } from '../../../platform/secrets/worker-box.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { SEALED_TABLES } from '../../../wiring/sealed-tables.ts';
import { poolKeyPlace, type StoredPoolKey, sealPoolKey } from '../keys/pool-key-box.ts';
import { createPoolKeyOpener } from '../keys/pool-key-opener.ts';
import { listPoolKeys } from '../keys/pool-keys.store.ts';
import { resealPoolKeys } from '../keys/sealed-pool-keys.ts';
import { createAnswering } from './answer-requests.ts';
import * as store from './exchange-requests.store.ts';

const EARLIER = await createOpeningBox([POOL_KEY_IDENTITIES[1]]);
/** Within the patience of a call. */
const SOON = { timeout: 9_000, interval: 20 };

let venue: Awaited<ReturnType<typeof startSimulatedPools>>;
let product: TestApp;
let owner: Owner;
let superAdmin: string;
let communityId: string;
/** The account of this test: no two share one. */
let account = 10;
beforeAll(async () => {
  venue = await startSimulatedPools(Array.from({ length: 16 }, (_, nth) => poolState(11 + nth)));
  product = await createTestApp({
    scale: 0.02,
    env: { EXCHANGE_BYBIT_URL: venue.url },
    exchangeClock: venue.now,
  });
  owner = ownerOf(product.ownerUrl);
  superAdmin = await product.signIn('super');
});
afterAll(async () => {
  await product?.close();
  await venue?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  account += 1;
  communityId = await addCommunity(owner, []);
});
afterEach(() => product.workers.away(false));

const connect = (who = superAdmin) => {
  const { apiKey, secretKey } = poolAccount(account).credentials;
  const body = { community_id: communityId, apiKey, secretKey, minimum_deposit: '100' };
  return send(product.app, 'POST /api/pooled-accounts', { body }, who);
};
const poolsHere = () => owner('SELECT id FROM pooled_account WHERE community_id = $1', [communityId]);
/** The question of a call that waits. */
const question = () =>
  expect
    .poll(
      () =>
        owner<{ id: string }>(
          'SELECT id FROM pool_exchange_request WHERE community_id = $1 AND answered_at IS NULL',
          [communityId],
        ),
      SOON,
    )
    .toHaveLength(1);
const asWorker = () =>
  createAnswering({
    db: product.db,
    log: product.log,
    now: () => new Date(),
    poolKeys: POOL_KEYS,
    venue: venue.reads,
  });
const keysOf = (poolId: string) => product.db.read(WHOLE_SCOPE, (tx) => listPoolKeys(tx, [poolId]));

longTest(
  'a call that no worker answers changes nothing, and a later answer is not used',
  async () => {
    product.workers.away(true);
    const answer = await connect();
    expect([answer.statusCode, answer.json().error]).toEqual([503, 'exchange_unavailable']);
    expect(await poolsHere()).toEqual([]);
    const late = asWorker();
    await late.turn();
    await late.settle();
    const asked = await owner('SELECT answered_at FROM pool_exchange_request WHERE community_id = $1', [
      communityId,
    ]);
    expect(asked).toEqual([{ answered_at: null }]);
  },
  20_000,
);

test('another worker answers for one that died while it asked', async () => {
  product.workers.away(true);
  const call = connect();
  await question();
  const times = { waitedSeconds: 10, leaseSeconds: 60 };
  const dead = await product.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.takeQuestions(tx, 5, times));
  expect(dead).toHaveLength(1);
  const other = asWorker();
  await other.turn();
  await other.settle();
  await question();
  await owner("UPDATE pool_exchange_request SET claimed_until = now() - interval '1 second'");
  await other.turn();
  await other.settle();
  expect((await call).statusCode).toBe(202);
  // What the first one finds after all changes nothing.
  await product.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.saveAnswer(tx, dead[0]?.id ?? '', { uid: 'of another account' }),
  );
  const [row] = await owner<{ uid: string }>(
    'SELECT uid FROM pool_exchange_request WHERE community_id = $1',
    [communityId],
  );
  expect(row?.uid).toBe(poolState(account).uid);
});

test('two workers take a question once', async () => {
  product.workers.away(true);
  const call = connect();
  await question();
  const before = venue.requests.list().length;
  const workers = [asWorker(), asWorker()];
  await Promise.all(workers.map((each) => each.turn()));
  await Promise.all(workers.map((each) => each.settle()));
  expect((await call).statusCode).toBe(202);
  const asked = venue.requests.list().length;
  communityId = await addCommunity(owner, []);
  account += 1;
  product.workers.away(false);
  expect((await connect()).statusCode).toBe(202);
  // As many calls of the exchange as with one worker.
  expect(asked - before).toBe(venue.requests.list().length - asked);
});

test('a community that was archived meanwhile gets no pool', async () => {
  product.workers.away(true);
  const call = connect();
  await question();
  await owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [communityId]);
  product.workers.away(false);
  const answer = await call;
  expect(answer.json().error).toBe('community_archived');
  expect(await poolsHere()).toEqual([]);
});

test('an answer is used once, within minutes, by who asked, for what was asked', async () => {
  expect((await connect()).statusCode).toBe(202);
  const [{ id } = { id: '' }] = await owner<{ id: string }>(
    'SELECT id FROM pool_exchange_request WHERE community_id = $1',
    [communityId],
  );
  const [{ by } = { by: '' }] = await owner<{ by: string }>(
    'SELECT requested_by AS by FROM pool_exchange_request WHERE id = $1',
    [id],
  );
  const use = (caller: string, work = `app.connect_pool('${id}', 1, 'net_carry', false)`) =>
    product.apiDb
      .write(WHOLE_SCOPE, { kind: 'user', id: caller.replace(/^user:/, ''), name: 'Mallory' }, async (tx) => {
        await sql.raw(`SELECT ${work}`).execute(tx.sql);
        return 'used';
      })
      .catch((error: Error) => error.message);
  const [pool] = await owner<{ id: string }>('SELECT id FROM pooled_account WHERE community_id = $1', [
    communityId,
  ]);
  await owner('SELECT app.drop_unapproved_pool($1)', [pool?.id]);
  const refused = expect.stringContaining('has no answer that can be used');
  expect(await use(by)).toEqual(refused);
  const set = (change: string) => owner(`UPDATE pool_exchange_request SET ${change} WHERE id = $1`, [id]);
  await set('used_at = NULL');
  expect(await use('user:somebody-else')).toEqual(refused);
  expect(await use(by, `app.replace_pool_key('${id}')`)).toEqual(refused);
  for (const change of [
    "answered_at = now() - interval '6 minutes'",
    "answered_at = now(), refusal = 'may_withdraw'",
    "refusal = NULL, problem = 'timeout', is_retryable = true",
    'problem = NULL, is_retryable = NULL, uid = NULL',
  ]) {
    await set(change);
    expect([change, await use(by)]).toEqual([change, refused]);
  }
  await set(`uid = '${poolState(account).uid}'`);
  expect(await use(by)).toBe('used');
});

test("the API's login writes no answer, no key and no account", async () => {
  expect((await connect()).statusCode).toBe(202);
  const attempt = (statement: string) =>
    product.apiDb
      .write(WHOLE_SCOPE, { kind: 'user', id: 'mallory', name: 'Mallory' }, async (tx) => {
        await sql.raw(statement).execute(tx.sql);
        return 'done';
      })
      .catch((error: Error) => error.message);
  const denied = expect.stringContaining('permission denied');
  for (const statement of [
    "UPDATE pool_exchange_request SET uid = '1', answered_at = now()",
    'UPDATE pool_exchange_request SET used_at = NULL',
    'UPDATE pool_exchange_request SET api_key = secret_key',
    'DELETE FROM pool_exchange_request',
    "INSERT INTO pool_exchange_request (kind, pooled_account_id, uid, answered_at) VALUES ('check', gen_random_uuid(), '1', now())",
    "INSERT INTO pool_exchange_request (kind, pooled_account_id, requested_by) VALUES ('check', gen_random_uuid(), 'user:1')",
    'SELECT api_key FROM pool_exchange_request',
    'SELECT ciphertext FROM pool_key',
    'DELETE FROM pool_key',
    "UPDATE pool_key SET ciphertext = ''",
    'INSERT INTO pool_key DEFAULT VALUES',
    "UPDATE pooled_account SET bybit_uid = '1'",
    'UPDATE pooled_account SET bybit_address_read = NULL',
    'INSERT INTO pooled_account (community_id, minimum_deposit_units) VALUES (gen_random_uuid(), 1)',
    'INSERT INTO pool_evidence DEFAULT VALUES',
    "SELECT app.use_pool_answer(gen_random_uuid(), 'connection')",
  ])
    expect([statement, await attempt(statement)]).toEqual([statement, denied]);
});

test('what is stored opens in its place for a worker only', async () => {
  const { data } = (await connect()).json();
  const rows = await keysOf(data.id);
  expect(await POOL_KEYS.open(rows)).toMatchObject(secretsOf(account));
  const moved = (change: Partial<StoredPoolKey>) =>
    rows.map((row) => ({ ...row, ...change }) as StoredPoolKey);
  expect(await POOL_KEYS.open(moved({ poolId: communityId }))).toBeNull();
  const [one, two] = rows as [StoredPoolKey, StoredPoolKey];
  const swapped = [
    { ...one, field: two.field },
    { ...two, field: one.field },
  ] as StoredPoolKey[];
  expect(await POOL_KEYS.open(swapped)).toBeNull();
  // All that the API has: its keyring, its public key, and what is in the rows.
  expect(await createPoolKeyOpener(KEYRING, null).open(rows)).toBeNull();
  expect(await createPoolKeyOpener(KEYRING, EARLIER).open(rows)).toBeNull();
  const places = ['pool_key', 'pool_exchange_request', 'audit_entry', 'change_event', 'money_order'];
  const everything = [product.logged.join('\n')];
  for (const place of places) everything.push(...(await textsOf(place)));
  for (const secret of Object.values(secretsOf(account)))
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      expect(everything.some((text) => text.includes(form))).toBe(false);
});

test('keys of before are sealed to the workers, those of an earlier public key as well, and once', async () => {
  const pools = [(await connect()).json().data.id];
  account += 1;
  communityId = await addCommunity(owner, []);
  pools.push((await connect()).json().data.id);
  const [old, rotated] = pools as [string, string];
  for (const field of ['api_key', 'secret_key'] as const) {
    const value = secretsOf(account - 1)[field === 'api_key' ? 'apiKey' : 'secretKey'];
    const sealed = sealSecret(value, poolKeyPlace({ poolId: old, field, version: 1 }), KEYRING.current);
    await owner(
      `UPDATE pool_key SET recipient = NULL, ciphertext = $3, wrapped_key = $4, master_key_id = $5
       WHERE pooled_account_id = $1 AND field = $2`,
      [old, field, sealed.ciphertext, sealed.wrappedKey, sealed.masterKeyId],
    );
  }
  const earlier = { keyring: KEYRING, box: createSealingBox(EARLIER.recipient) };
  for (const row of await sealPoolKey(earlier, rotated, secretsOf(account)))
    await owner(
      'UPDATE pool_key SET recipient = $3, ciphertext = $4 WHERE pooled_account_id = $1 AND field = $2',
      [rotated, row.field, row.recipient, row.ciphertext],
    );
  // Until a worker has sealed them anew, a rotation of the master key covers them.
  await rotateMasterKey(product.db, ROTATED.there, SEALED_TABLES);
  expect(await createPoolKeyOpener(ROTATED.there, BOX).open(await keysOf(old))).toMatchObject(
    secretsOf(account - 1),
  );
  await rotateMasterKey(product.db, ROTATED.back, SEALED_TABLES);

  const both = await createOpeningBox(POOL_KEY_IDENTITIES);
  const poolKeys = createPoolKeyOpener(KEYRING, both);
  const reseal = () => resealPoolKeys({ db: product.db, poolKeys, log: product.log });
  await Promise.all([reseal(), reseal()]);
  for (const [poolId, number] of [
    [old, account - 1],
    [rotated, account],
  ] as const) {
    const rows = await keysOf(poolId);
    expect(rows.map(({ recipient }) => recipient)).toEqual([BOX.recipient, BOX.recipient]);
    expect(await POOL_KEYS.open(rows)).toMatchObject(secretsOf(number));
    expect(await createPoolKeyOpener(KEYRING, null).open(rows)).toBeNull();
  }
  const left = await owner('SELECT FROM pool_key WHERE wrapped_key IS NOT NULL OR master_key_id IS NOT NULL');
  expect(left).toEqual([]);
  const stored = JSON.stringify(await owner('SELECT * FROM pool_key ORDER BY 1, 2'));
  await reseal();
  expect(JSON.stringify(await owner('SELECT * FROM pool_key ORDER BY 1, 2'))).toBe(stored);
});

test('questions are removed after a while', async () => {
  // The first one has connected as many as one person may within a minute.
  expect((await connect(await product.signIn('super-2'))).statusCode).toBe(202);
  const remove = () => product.db.write(WHOLE_SCOPE, WORKER_ACTOR, store.deleteOldQuestions);
  const count = () => owner('SELECT FROM pool_exchange_request WHERE community_id = $1', [communityId]);
  await remove();
  expect(await count()).toHaveLength(1);
  await owner("UPDATE pool_exchange_request SET requested_at = now() - interval '16 minutes'");
  await remove();
  expect(await count()).toHaveLength(0);
});

const secretsOf = (number: number) => {
  const { apiKey, secretKey } = poolAccount(number).credentials;
  return { apiKey, secretKey };
};
const textsOf = async (table: string) =>
  (await owner<{ text: string }>(`SELECT t::text AS text FROM ${table} t`)).map(({ text }) => text);
