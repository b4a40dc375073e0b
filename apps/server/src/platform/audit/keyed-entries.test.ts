import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../wiring/open-database.ts';
import { createPool } from '../db/connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import type { Actor, AuditEntry, AuditValue } from './audit.ts';
import { type AuditKeys, CHAIN_START, canonicalEntry, chainHash, linkHash, ownHash } from './entry-hashes.ts';
import { verifyAudit } from './verify.ts';

const CHAIN_KEY = 'an audit key of these tests, 32 characters';
const WORKER_KEY = 'a key of workers in these tests, 32 characters';
const ADMIN: Actor = { kind: 'user', id: 'ada', name: 'ada@mail.example' };
const keys = { chain: Buffer.from(CHAIN_KEY), worker: Buffer.from(WORKER_KEY) };

let database: TestDatabase;
let api: Database;
let worker: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = () => createPool({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' });
  const now = () => new Date();
  api = createDatabase({ pool: pool(), auditKey: keys.chain, now });
  worker = createDatabase({ pool: pool(), auditKey: keys.chain, workerAuditKey: keys.worker, now });
  await owner(`ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
    ALTER TABLE audit_seal DISABLE TRIGGER audit_seal_append_only`);
});
beforeEach(async () => {
  await owner(`DELETE FROM audit_entry; DELETE FROM audit_seal; DELETE FROM audit_unsealed;
    ALTER SEQUENCE audit_number RESTART`);
});
afterAll(async () => {
  await Promise.all([api.close(), worker.close()]);
  await database.drop();
});

const owner = (text: string, values: unknown[] = []) => asOwner(database.ownerUrl, text, values);
const act = (db: Database, actor: Actor, values: Partial<AuditEntry> = {}) =>
  db.write(WHOLE_SCOPE, actor, async (tx) =>
    tx.audit({ action: 'test.done', target: { kind: 'test', id: 'x' }, ...values }),
  );
/** By a worker, which has both keys, or by an API. */
const verify = (with_ = keys as { chain: Buffer; worker: Buffer | null }) =>
  api.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, with_, 2));
const verifyInApi = () => verify({ ...keys, worker: null });
const seal = (with_: AuditKeys = keys) => sealAudit(worker, with_);

test.each(['sealed', 'not sealed yet'])(
  'each program writes under its key, a worker checks both, and an API says what it could not check: %s',
  async (state) => {
    await act(api, ADMIN, { after: { n: 1.5, list: ['b', 'a'] } });
    await act(worker, WORKER_ACTOR, { before: null });
    await act(worker, ADMIN);
    if (state === 'sealed') await seal();
    expect(await owner('SELECT keyed_by, hash_version FROM audit_entry ORDER BY seq')).toEqual([
      { keyed_by: 'api', hash_version: 3 },
      { keyed_by: 'worker', hash_version: 3 },
      { keyed_by: 'worker', hash_version: 3 },
    ]);
    const [entries, unsealed] = state === 'sealed' ? [3, 0] : [0, 3];
    const intact = { intact: true, entries, unsealed, foreign: null };
    expect(await verify()).toMatchObject({ ...intact, unchecked: 0 });
    expect(await verifyInApi()).toMatchObject({ ...intact, unchecked: 2 });
  },
);

test("the worker's actor without the worker's key is reported from the first entry under that key on", async () => {
  await act(api, WORKER_ACTOR);
  expect(await verify()).toMatchObject({ intact: true, foreign: null });
  await act(worker, WORKER_ACTOR);
  await act(api, ADMIN);
  await act(api, WORKER_ACTOR);
  await act(api, WORKER_ACTOR);
  await seal();
  const foreign = { count: 2, firstSeq: '4' };
  expect(await verify()).toMatchObject({ intact: true, entries: 5, foreign });
  expect(await verifyInApi()).toMatchObject({ intact: true, foreign });
});

test("an API that claims the worker's key is found by whoever has it", async () => {
  await act(worker, WORKER_ACTOR);
  const pool = createPool({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' });
  const workerAuditKey = Buffer.from('a guess');
  const forging = createDatabase({ pool, auditKey: keys.chain, workerAuditKey, now: () => new Date() });
  await act(forging, WORKER_ACTOR);
  await forging.close();
  await seal();
  expect(await verify()).toMatchObject({ intact: true, foreign: { count: 1, firstSeq: '2' } });
  expect(await verifyInApi()).toMatchObject({ unchecked: 2, foreign: null });
  // Nor does it keep workers from starting.
  const settings = { DATABASE_URL: database.ownerUrl, AUDIT_KEY: CHAIN_KEY, DATABASE_POOL: '2' };
  const open = (text: string) =>
    openDatabase(readConfig(settings), 'test', { workerAuditKey: Buffer.from(text) });
  await (await open(WORKER_KEY)).db.close();
  await expect(open('another key of workers')).rejects.toThrow(/Restore AUDIT_WORKER_KEY/);
});

test.each([
  ['a microsecond', "at = at + interval '1 microsecond'"],
  ['JSON null in place of NULL', "before = 'null'"],
  ['a digit beyond a double', `after = '{"n": 1.00000000000000000001}'`],
  ['the own hash', "own_hash = decode(repeat('00', 32), 'hex')"],
  [
    'the version',
    "hash_version = 1, own_hash = NULL, keyed_by = NULL, hash = sha256('x'), previous_hash = sha256('y')",
  ],
  ['the request', "request_id = ''"],
])('changed before or after it was sealed: %s is altered, also for an API', async (_, change) => {
  await act(api, ADMIN, { after: { n: 1 } });
  await act(api, ADMIN);
  const [kept] = await owner('SELECT * FROM audit_entry WHERE seq = 1');
  const altered = { intact: false, reason: 'altered_entry', seq: '1' };
  for (const isSealed of [false, true]) {
    if (isSealed) await seal();
    expect(await verifyInApi()).toMatchObject({ intact: true });
    await owner(`UPDATE audit_entry SET ${change} WHERE seq = 1`);
    expect(await verifyInApi()).toEqual(altered);
    expect(await verify()).toEqual(altered);
    await putBack(kept as object);
  }
  // Nor does sealing it as it is make it right.
  await act(api, ADMIN, { after: { n: 1 } });
  await owner(`UPDATE audit_entry SET ${change} WHERE seq = 3`);
  await seal();
  expect(await verify()).toEqual({ ...altered, seq: '3' });
});

test('an entry that claims the other key is foreign before it is sealed, and altered afterwards', async () => {
  const claim = () => owner("UPDATE audit_entry SET keyed_by = 'worker' WHERE seq = 1");
  await act(api, ADMIN);
  await claim();
  expect(await verify()).toMatchObject({ intact: true, foreign: { count: 1, firstSeq: '1' } });
  await owner("UPDATE audit_entry SET keyed_by = 'api'");
  await seal();
  expect(await verify()).toMatchObject({ intact: true, foreign: null });
  await claim();
  const altered = { intact: false, reason: 'altered_entry', seq: '1' };
  expect(await verify()).toEqual(altered);
  expect(await verifyInApi()).toEqual(altered);
});

async function putBack(kept: object): Promise<void> {
  await owner(
    `DELETE FROM audit_entry WHERE seq = 1;
     INSERT INTO audit_entry SELECT * FROM jsonb_populate_record(NULL::audit_entry, '${JSON.stringify(
       kept,
       (_, value) => (value?.type === 'Buffer' ? `\\x${Buffer.from(value.data).toString('hex')}` : value),
     )}')`,
  );
}

test.each([
  ['a position', 'UPDATE audit_seal SET position = position + 10 WHERE position > 1', 'missing_entry', '2'],
  [
    'the hash of the chain',
    "UPDATE audit_seal SET hash = sha256('x') WHERE position = 2",
    'altered_entry',
    '2',
  ],
  ['the entry behind a seal', 'UPDATE audit_seal SET seq = 99 WHERE position = 2', 'missing_entry', '99'],
  ['a seal that is gone', 'DELETE FROM audit_seal WHERE position = 2', 'missing_entry', '3'],
  ['an entry that is gone', 'DELETE FROM audit_entry WHERE seq = 2', 'missing_entry', '2'],
  [
    'the order of two',
    'UPDATE audit_seal SET seq = -seq; UPDATE audit_seal SET seq = CASE seq WHEN -1 THEN 2 WHEN -2 THEN 1 ELSE 3 END',
    'altered_entry',
    '2',
  ],
  [
    'both, of an entry in the middle',
    'DELETE FROM audit_seal WHERE position = 2; DELETE FROM audit_entry WHERE seq = 2',
    'missing_entry',
    '3',
  ],
])('a seal that was tampered with shows: %s', async (_, change, reason, seq) => {
  for (const n of [1, 2, 3]) await act(api, ADMIN, { after: { n } });
  await seal();
  expect(await verify()).toMatchObject({ intact: true, entries: 3 });
  await owner(change);
  expect(await verify()).toEqual({ intact: false, reason, seq });
  expect(await verifyInApi()).toEqual({ intact: false, reason, seq });
});

test('an entry that was removed before it was sealed shows, and so does one that nothing was to seal', async () => {
  for (const n of [1, 2, 3]) await act(api, ADMIN, { after: { n } });
  await owner('DELETE FROM audit_entry WHERE seq = 2');
  const removed = { intact: false, reason: 'missing_entry', seq: '2' };
  expect(await verify()).toEqual(removed);
  // It is not sealed over: the others are, and it stays open.
  await seal();
  expect(await owner('SELECT seq::int FROM audit_seal ORDER BY position')).toEqual([{ seq: 1 }, { seq: 3 }]);
  expect(await verify()).toEqual(removed);
  await owner('DELETE FROM audit_unsealed');
  await act(api, ADMIN);
  await owner('DELETE FROM audit_unsealed');
  expect(await verify()).toEqual({ intact: false, reason: 'broken_link', seq: '4' });
});

test("with the chain's key and the database, an entry before a worker's seal cannot be rewritten", async () => {
  await act(api, ADMIN);
  await act(api, ADMIN);
  await seal();
  // Another first entry, sealed with all that the holder of the chain's key can compute.
  await owner('DELETE FROM audit_entry; DELETE FROM audit_seal; ALTER SEQUENCE audit_number RESTART');
  await act(api, { ...ADMIN, id: 'eve' });
  await seal({ ...keys, worker: null });
  await act(api, ADMIN);
  await seal();
  await act(api, ADMIN);
  await seal({ ...keys, worker: null });
  // Its own chain is whole; from the first seal of a worker on, every seal has to be one.
  expect(await verify()).toMatchObject({ intact: true, foreign: { count: 1, firstSeq: '3' } });
  await owner("UPDATE audit_seal SET keyed_by = 'worker' WHERE position = 3");
  expect(await verify()).toMatchObject({ intact: true, foreign: { count: 1, firstSeq: '3' } });
});

test('two workers at once seal each entry once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => act(api, ADMIN, { after: { n } })));
  await Promise.all([seal(), seal(), seal()]);
  await seal();
  expect(await verify()).toMatchObject({ intact: true, entries: 20, unsealed: 0, foreign: null });
});

/** As the version before: it numbers and links what it appends itself. */
async function append(values: AuditValue[], key = keys.chain): Promise<void> {
  const { kind, id, name } = ADMIN;
  const client = await api.pool.connect();
  try {
    await client.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
    const { rows } = await client.query('SELECT seq, hash FROM app.audit_head()');
    let seq = BigInt(rows[0].seq ?? 0);
    let previous: Buffer = rows[0].hash ?? CHAIN_START;
    const at = new Date();
    const linked = values.map((value) => {
      seq += 1n;
      const content = canonicalEntry(2, {
        ...{
          seq: `${seq}`,
          at: at.toISOString().replace('Z', '000Z'),
          actor_kind: kind,
          actor_id: id,
          actor_name: name,
        },
        ...{
          action: 'test.done',
          target_kind: 'test',
          target_id: 'x',
          before: null,
          after: JSON.stringify(value),
        },
        ...{ request_id: null, keyed_by: 'api' as const },
      });
      const own = ownHash(key, previous, content);
      previous = linkHash(key, previous, own, content);
      return { own, hash: previous };
    });
    const many = (text: string) => values.map(() => text);
    await client.query(`SELECT app.append_audit($1, $2, $3, $4, NULL, $5, $6, $7, $8, $9, $10, 'api', $11)`, [
      ...[
        at.toISOString(),
        kind,
        id,
        name,
        many('test.done'),
        many('test'),
        many('x'),
        values.map(() => null),
      ],
      ...[
        values.map((value) => JSON.stringify(value)),
        linked.map(({ hash }) => hash),
        linked.map(({ own }) => own),
      ],
    ]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

test('the version before goes on appending beside this one', async () => {
  await act(api, ADMIN);
  await append([1, 2]);
  await act(worker, WORKER_ACTOR);
  await Promise.all([append([3]), act(api, ADMIN), append([4, 5, 6])]);
  await seal();
  expect(await verify()).toMatchObject({ intact: true, entries: 9, unsealed: 0, foreign: null });
  await owner("UPDATE audit_entry SET actor_name = 'Eve' WHERE hash_version = 2");
  expect(await verifyInApi()).toMatchObject({ intact: false, reason: 'altered_entry' });
});

test('a chain from before there were seals stays valid, and the first seal continues it', async () => {
  const first = await link(1, CHAIN_START, { status: 'a' });
  const second = await link(2, first, { status: 'b' });
  await owner(`SELECT setval('audit_number', 2); INSERT INTO audit_seal (position, seq, hash)
    VALUES (2, 2, '\\x${second.toString('hex')}')`);
  expect(await verify()).toMatchObject({ intact: true, entries: 2, headHash: second.toString('hex') });
  await act(api, ADMIN);
  await seal();
  expect(await verify()).toMatchObject({ intact: true, entries: 3, foreign: null });
  await owner('UPDATE audit_entry SET request_id = $1 WHERE seq = 1', ['x']);
  expect(await verify()).toMatchObject({ intact: false, reason: 'altered_entry', seq: '1' });
  await owner('DELETE FROM audit_entry WHERE seq = 2');
  await owner('UPDATE audit_entry SET request_id = NULL WHERE seq = 1');
  expect(await verify()).toMatchObject({ intact: false, reason: 'missing_entry', seq: '2' });
});

/** An entry of version 1, as it was stored then. */
async function link(seq: number, previous: Buffer, after: AuditValue): Promise<Buffer> {
  const { kind, id, name } = ADMIN;
  const at = new Date().toISOString();
  const hash = chainHash(keys.chain, previous, {
    ...{ seq: String(seq), at, actor_kind: kind, actor_id: id, actor_name: name, action: 'test.done' },
    ...{ target_kind: 'test', target_id: 'x', before: null, after, request_id: null },
  });
  await owner(
    `INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, after,
       previous_hash, hash) VALUES ($1, $2, $3, $4, $5, 'test.done', 'test', 'x', $6, $7, $8)`,
    [seq, at, kind, id, name, JSON.stringify(after), previous, hash],
  );
  return hash;
}
