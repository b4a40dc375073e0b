import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../wiring/open-database.ts';
import { beginTransaction } from '../db/begin.ts';
import { createPool } from '../db/connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from '../db/database.ts';
import { verifyAudit } from './verify.ts';

const KEY = 'an audit key of these tests, 32 characters';
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
const verify = () =>
  db.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, { chain: Buffer.from(KEY), worker: null }));

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

test('an entry appended by hand follows the newest, whatever it claims', async () => {
  const client = await db.pool.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: WHOLE_SCOPE });
    await client.query(
      `SELECT app.append_audit(now(), 'system', 'x', 'x', NULL, '{a,b}', '{k,k}', '{1,2}', '{null,null}', '{null,null}', '{\\\\x01,\\\\x02}')`,
    );
    const appended = await client.query(
      'SELECT seq::int, previous_hash FROM audit_entry WHERE actor_id = $1 ORDER BY seq',
      ['x'],
    );
    const head = await client.query(
      'SELECT seq::int, hash FROM audit_entry WHERE actor_id <> $1 ORDER BY seq DESC LIMIT 1',
      ['x'],
    );
    expect(appended.rows.map(({ seq }) => seq)).toEqual([head.rows[0].seq + 1, head.rows[0].seq + 2]);
    expect(appended.rows[0].previous_hash).toEqual(head.rows[0].hash);
    expect(appended.rows[1].previous_hash).toEqual(Buffer.from([1]));
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('fifty writers at once make one chain without a gap', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => act(`${n} a`, `${n} b`)));
  const verdict = await verify();
  expect(verdict).toMatchObject({ intact: true, entries: expect.any(Number) });
  expect(verdict.intact && verdict.entries).toBeGreaterThanOrEqual(102);
});

test('a change that is undone leaves no number behind', async () => {
  const failing = db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    tx.audit({ action: 'test.done', target: { kind: 'test', id: 'undone' } });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow(/changed my mind/);
  await act('after');
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

test('with another audit key nothing starts, and nothing is written', async () => {
  const before = await verify();
  const config = (auditKey: string) =>
    readConfig({ DATABASE_URL: database.ownerUrl, AUDIT_KEY: auditKey, DATABASE_POOL: '2' });
  await expect(openDatabase(config('another audit key, also 32 characters'), 'test')).rejects.toThrow(
    /another audit key/,
  );
  expect(await verify()).toEqual(before);
  const right = await openDatabase(config(KEY), 'test');
  await right.db.close();
});

test('a head that was tampered with does not stop the start: the check of the chain reports it', async () => {
  await asOwner(
    database.ownerUrl,
    `DO $$ BEGIN
       ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
       ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;
       UPDATE audit_entry SET actor_name = 'Forged' WHERE seq = (SELECT max(seq) FROM audit_entry);
     END $$`,
  );
  expect(await verify()).toMatchObject({ intact: false, reason: 'altered_entry' });
  const opened = await openDatabase(
    readConfig({ DATABASE_URL: database.ownerUrl, AUDIT_KEY: KEY, DATABASE_POOL: '2' }),
    'test',
  );
  await opened.db.close();
});
