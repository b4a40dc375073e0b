import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../wiring/open-database.ts';
import { createPool } from '../db/connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import type { Actor, AuditEntry, AuditValue } from './audit.ts';
import { CHAIN_START, canonicalEntry, chainHash, linkHash } from './entry-hashes.ts';
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
    ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only`);
});
beforeEach(async () => {
  await owner('DELETE FROM audit_entry');
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
  api.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, with_));
const verifyInApi = () => verify({ ...keys, worker: null });

test('each program writes under its key, a worker checks both, and an API says what it could not check', async () => {
  await act(api, ADMIN, { after: { n: 1.5, list: ['b', 'a'] } });
  await act(worker, WORKER_ACTOR, { before: null });
  await act(worker, ADMIN);
  expect(await owner('SELECT keyed_by, hash_version FROM audit_entry ORDER BY seq')).toEqual([
    { keyed_by: 'api', hash_version: 2 },
    { keyed_by: 'worker', hash_version: 2 },
    { keyed_by: 'worker', hash_version: 2 },
  ]);
  expect(await verify()).toMatchObject({ intact: true, entries: 3, unchecked: 0, foreign: null });
  expect(await verifyInApi()).toMatchObject({ intact: true, entries: 3, unchecked: 2, foreign: null });
});

test("the worker's actor without the worker's key is reported from the first entry under that key on", async () => {
  await act(api, WORKER_ACTOR);
  expect(await verify()).toMatchObject({ intact: true, foreign: null });
  await act(worker, WORKER_ACTOR);
  await act(api, ADMIN);
  await act(api, WORKER_ACTOR);
  await act(api, WORKER_ACTOR);
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
  ['the kind of key', "keyed_by = 'worker'"],
  ['the own hash', "own_hash = decode(repeat('00', 32), 'hex')"],
  ['the version', 'hash_version = 1, own_hash = NULL, keyed_by = NULL'],
  ['the request', "request_id = ''"],
])('changed afterwards: %s is altered, also for an API', async (_, change) => {
  await act(api, ADMIN, { after: { n: 1 } });
  await act(api, ADMIN);
  expect(await verifyInApi()).toMatchObject({ intact: true });
  await owner(`UPDATE audit_entry SET ${change} WHERE seq = (SELECT min(seq) FROM audit_entry)`);
  const altered = { intact: false, reason: 'altered_entry', seq: '1' };
  expect(await verifyInApi()).toEqual(altered);
  expect(await verify()).toEqual(altered);
});

test("with the chain's key and the database, an entry before a worker's cannot be rewritten", async () => {
  await act(api, ADMIN);
  await act(worker, WORKER_ACTOR);
  // Another first entry, and the worker's linked to it: what the holder of the chain's key can compute.
  await owner('CREATE TABLE kept AS SELECT * FROM audit_entry; DELETE FROM audit_entry');
  await act(api, { ...ADMIN, id: 'eve' });
  const [{ hash } = {}] = await owner('SELECT hash FROM audit_entry');
  await relink(hash);
  expect(await verify()).toMatchObject({ intact: true, foreign: { count: 1, firstSeq: '2' } });
});

/** Puts the kept entry of the worker behind another one, under a hash of the chain that fits. */
async function relink(previous: Buffer): Promise<void> {
  const [kept] =
    await owner(`SELECT seq, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at,
    actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id, before::text AS before,
    after::text AS after, keyed_by, own_hash FROM kept WHERE seq = 2`);
  if (!kept) throw new Error('it was kept');
  const hash = linkHash(keys.chain, previous, kept.own_hash, canonicalEntry(kept as never));
  await owner(
    `INSERT INTO audit_entry SELECT * FROM kept WHERE seq = 2;
     UPDATE audit_entry SET previous_hash = decode('${previous.toString('hex')}', 'hex'),
       hash = decode('${hash.toString('hex')}', 'hex') WHERE seq = 2; DROP TABLE kept`,
  );
}

test('entries of version 1 stay valid, and the version before goes on writing them', async () => {
  await append(1, CHAIN_START, ADMIN, { status: 'a' });
  await act(api, ADMIN);
  const [newest] = await owner('SELECT hash FROM audit_entry ORDER BY seq DESC LIMIT 1');
  await append(3, newest?.hash, ADMIN, { status: 'b' });
  expect(await verify()).toMatchObject({ intact: true, entries: 3, foreign: null });
  await owner('UPDATE audit_entry SET request_id = $1 WHERE seq = 1', ['x']);
  expect(await verify()).toMatchObject({ intact: false, reason: 'altered_entry', seq: '1' });
});

/** As the version before appends. */
async function append(seq: number, previous: Buffer, { kind, id, name }: Actor, after: AuditValue) {
  const at = new Date().toISOString();
  const hash = chainHash(keys.chain, previous, {
    ...{ seq: String(seq), at, actor_kind: kind, actor_id: id, actor_name: name, action: 'test.done' },
    ...{ target_kind: 'test', target_id: 'x', before: null, after, request_id: null },
  });
  await owner(
    `SELECT app.append_audit($1, $2, $3, $4, NULL, '{test.done}', '{test}', '{x}', '{null}', $5, $6)`,
    [...[at, kind, id, name, [JSON.stringify(after)], [hash]]],
  );
}
