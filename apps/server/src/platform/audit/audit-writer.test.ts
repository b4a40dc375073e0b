import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../wiring/open-database.ts';
import { beginTransaction } from '../db/begin.ts';
import { APPLICATION_ROLE, createPool } from '../db/connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from '../db/database.ts';
import { verifyAudit } from './verify.ts';

const KEY = 'an audit key of these tests, 32 characters';
const KEYS = { chain: Buffer.from(KEY), worker: null };
const ACTOR = { kind: 'system', id: 'test', name: 'Test' } as const;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = createPool({ url: database.ownerUrl, maxConnections: 10, applicationName: 'test' });
  db = createDatabase({ pool, auditKey: Buffer.from(KEY), now: () => new Date() });
  await act('first', 'second');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const act = (...ids: string[]) =>
  db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    for (const id of ids) tx.audit({ action: 'test.done', target: { kind: 'test', id }, after: { id } });
  });
const verify = () => db.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, KEYS));

/** One statement of the application, seeing everything, which is undone. */
async function attempt(text: string): Promise<pg.QueryResult> {
  const client = await db.pool.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: WHOLE_SCOPE });
    return await client.query(text);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('the application writes no entry beside the function that numbers it', async () => {
  await expect(
    attempt(`INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, previous_hash, hash)
      VALUES (1000, now(), 'system', 'x', 'x', 'x', 'x', 'x', '', '')`),
  ).rejects.toThrow(/permission denied for table audit_entry/);
  await expect(attempt('UPDATE audit_entry SET seq = 1000')).rejects.toThrow(/permission denied/);
});

test('an entry written by hand has a number that the audit gave, once', async () => {
  const record = (numbers: string) =>
    `SELECT app.record_audit(${numbers}, now(), 'system', 'x', 'x', NULL, '{a}', '{k}', '{1}', '{null}', '{null}', 'api', '{\\x02}')`;
  await attempt(record("ARRAY[nextval('audit_number')]"));
  const [given] = await asOwner<{ last: string }>(
    database.ownerUrl,
    'SELECT last_value AS last FROM audit_number',
  );
  await expect(attempt(record(`ARRAY[${given?.last}::bigint + 1]`))).rejects.toThrow(
    /has not given this number/,
  );
  await expect(attempt(record('ARRAY[(SELECT min(seq) FROM audit_entry)]'))).rejects.toThrow(/duplicate key/);
  // Nor does the application choose numbers, seal, or say that something is sealed.
  for (const statement of [
    "SELECT setval('audit_number', 9)",
    'DELETE FROM audit_unsealed',
    "INSERT INTO audit_seal (position, seq, hash) VALUES (1, 1, '')",
  ])
    await expect(attempt(statement), statement).rejects.toThrow(/permission denied/);
});

test('only workers seal', async () => {
  const pool = createPool({ url: database.ownerUrl, applicationName: 'test', role: APPLICATION_ROLE });
  const api = createDatabase({ pool, auditKey: Buffer.from(KEY), now: () => new Date() });
  try {
    await act('to be sealed');
    await expect(sealAudit(api, KEYS)).rejects.toThrow(/permission denied for function begin_sealing/);
  } finally {
    await api.close();
  }
});

test('fifty writers at once make one chain without a gap, while it is sealed', async () => {
  const writers = Array.from({ length: 50 }, (_, n) => act(`${n} a`, `${n} b`));
  await Promise.all([...writers, sealAudit(db, KEYS)]);
  await sealAudit(db, KEYS);
  const verdict = await verify();
  expect(verdict).toMatchObject({ intact: true, entries: expect.any(Number), unsealed: 0 });
  expect(verdict.intact && verdict.entries).toBeGreaterThanOrEqual(102);
});

test('no writer waits for another, nor for the worker that seals', async () => {
  await act('waits');
  const sealing = await db.pool.connect();
  const [held] = [await db.pool.connect()];
  try {
    await beginTransaction(sealing, 'BEGIN', { scope: WHOLE_SCOPE });
    await sealing.query('SELECT FROM app.begin_sealing()');
    await beginTransaction(held, 'BEGIN', { scope: WHOLE_SCOPE });
    await held.query(
      `SELECT app.record_audit(ARRAY[nextval('audit_number')], now(), 'system', 'x', 'x', NULL, '{a}', '{k}', '{1}', '{null}', '{null}', 'api', '{\\x02}')`,
    );
    await act('beside both');
    // Another worker that would seal goes on too.
    await sealAudit(db, KEYS);
  } finally {
    for (const client of [sealing, held]) {
      await client.query('ROLLBACK');
      client.release();
    }
  }
});

test('a change that is undone leaves a number behind, and no position', async () => {
  const failing = db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    tx.audit({ action: 'test.done', target: { kind: 'test', id: 'undone' } });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow(/changed my mind/);
  await act('after');
  await sealAudit(db, KEYS);
  expect(await verify()).toMatchObject({ intact: true });
});

test('a refused entry rolls back its change', async () => {
  const name = 'Never to be';
  const failing = db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    await tx.sql.insertInto('community').values({ name }).execute();
    tx.audit({ action: 'test.done', target: { kind: 'test', id: '\0' } });
  });
  await expect(failing).rejects.toThrow(/invalid byte sequence/);
  const found = await db.read(WHOLE_SCOPE, (tx) =>
    tx.sql.selectFrom('community').select('id').where('name', '=', name).execute(),
  );
  expect(found).toEqual([]);
  await act('after a refusal');
  expect(await verify()).toMatchObject({ intact: true });
});

test.each(['before a seal', 'with seals'])(
  'with another audit key nothing starts, and nothing is written, %s',
  async (state) => {
    if (state === 'with seals') await sealAudit(db, KEYS);
    const before = await verify();
    const config = (auditKey: string) =>
      readConfig({ DATABASE_URL: database.ownerUrl, AUDIT_KEY: auditKey, DATABASE_POOL: '2' });
    await expect(openDatabase(config('another audit key, also 32 characters'), 'test')).rejects.toThrow(
      /another audit key/,
    );
    expect(await verify()).toEqual(before);
    const right = await openDatabase(config(KEY), 'test');
    await right.db.close();
  },
);

test('a head that was tampered with does not stop the start: the check of the chain reports it', async () => {
  await sealAudit(db, KEYS);
  await asOwner(
    database.ownerUrl,
    `DO $$ BEGIN
       ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
       ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;
       UPDATE audit_entry SET actor_name = 'Forged'
       WHERE seq = (SELECT seq FROM audit_seal ORDER BY position DESC LIMIT 1);
     END $$`,
  );
  expect(await verify()).toMatchObject({ intact: false, reason: 'altered_entry' });
  const opened = await openDatabase(
    readConfig({ DATABASE_URL: database.ownerUrl, AUDIT_KEY: KEY, DATABASE_POOL: '2' }),
    'test',
  );
  await opened.db.close();
});
