import type { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { until } from '../../../../../tests/support/until.ts';
import { beginTransaction } from '../db/begin.ts';
import { createPool } from '../db/connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from '../db/database.ts';
import { verifyAudit } from './verify.ts';

// The lock of the worker that seals: who can take it, and for how long. Writers take none.

const KEY = Buffer.alloc(32, 1);
const KEYS = { chain: KEY, worker: null };
const ACTOR = { kind: 'system', id: 'test', name: 'Test' } as const;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = createPool({ url: database.ownerUrl, maxConnections: 5, applicationName: 'test' });
  db = createDatabase({ pool, auditKey: KEY, now: () => new Date() });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const streamOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

const act = (id: string) =>
  db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    tx.audit({ action: 'test.done', target: { kind: 'test', id } });
  });

let silent: pg.Client;
let ended: Promise<string>;
beforeEach(async () => {
  silent = new pg.Client({ connectionString: database.ownerUrl });
  ended = new Promise((resolve) => {
    silent.on('error', ({ message }) => resolve(message));
  });
  await silent.connect();
  await beginTransaction(silent, 'BEGIN', { scope: WHOLE_SCOPE });
  await silent.query('SET LOCAL ROLE copydesk_worker');
});
// Not its orderly end, which a paused connection never comes to.
afterEach(() => void streamOf(silent).destroy());

/** Others wait within the timeouts of their own statements, and go on. */
async function expectOthersToGoOn(): Promise<void> {
  await Promise.all([act('meanwhile 1'), act('meanwhile 2'), act('meanwhile 3')]);
  // Its turn ends within the time that a seal takes at the most, and others seal.
  await until(async () => {
    await sealAudit(db, KEYS);
    const [waiting] = await asOwner(database.ownerUrl, 'SELECT count(*)::int AS n FROM audit_unsealed');
    return waiting?.n === 0;
  });
  const verdict = await db.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, KEYS));
  expect(verdict).toMatchObject({ intact: true });
}

test('a worker that is stopped while it seals loses its connection', async () => {
  await silent.query('SELECT FROM app.begin_sealing()');
  await expectOthersToGoOn();
  expect(await ended).toMatch(/idle-in-transaction timeout/);
});

test('so does one that is cut off within what it sends, where PostgreSQL has a timeout for transactions', async ({
  skip,
}) => {
  const [version] = await asOwner<{ n: number }>(
    database.ownerUrl,
    "SELECT current_setting('server_version_num')::int AS n",
  );
  skip((version?.n ?? 0) < 170_000);
  await silent.query('SELECT FROM app.begin_sealing()');
  // A message of the extended protocol, without the one that ends its batch: no timeout of statements applies then.
  const stream = streamOf(silent);
  // A process that is stopped reads nothing either.
  stream.pause();
  const parse = Buffer.from('\0SELECT 1\0\0\0', 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(parse.length + 4);
  stream.write(Buffer.concat([Buffer.from('P'), length, parse]));
  await expectOthersToGoOn();
});

test('the entry and the commit are the last things that a transaction sends, in one write', async () => {
  const client = await db.pool.connect();
  const sent: string[] = [];
  const { query } = client;
  const stream = streamOf(client);
  const { uncork } = stream;
  client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
    sent.push(
      typeof first === 'string'
        ? first
        : (/audit_number|app\.record_audit|set_config/.exec(first.text)?.[0] ?? ''),
    );
    return (query as (...all: unknown[]) => unknown).call(client, first, ...rest);
  }) as typeof client.query;
  stream.uncork = () => {
    uncork.call(stream);
    if (stream.writableCorked === 0) sent.push('written');
  };
  client.release();
  await act('watched');
  client.query = query;
  stream.uncork = uncork;
  expect(sent.slice(-3)).toEqual(['app.record_audit', 'COMMIT', 'written']);
});

test('no other session can hold the lock of the chain', async () => {
  // What any login could do to the writers before.
  const other = new pg.Client({ connectionString: database.ownerUrl });
  await other.connect();
  try {
    await other.query("SELECT pg_advisory_lock(hashtext('copydesk.audit'))");
    await act('meanwhile');
  } finally {
    await other.end();
  }
  for (const statement of [
    'SELECT FROM audit_lock FOR UPDATE',
    'SELECT FROM audit_lock',
    'LOCK TABLE audit_lock IN EXCLUSIVE MODE',
    'LOCK TABLE audit_lock IN ACCESS SHARE MODE',
    'LOCK TABLE audit_entry IN SHARE MODE',
    'LOCK TABLE audit_unsealed IN SHARE MODE',
    'SELECT FROM audit_entry FOR UPDATE',
  ])
    await expect(attempt(statement), statement).rejects.toThrow(/permission denied/);
});

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
