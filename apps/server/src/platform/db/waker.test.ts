import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { until } from '../../../../../tests/support/until.ts';
import { beginTransaction } from './begin.ts';
import { createPool } from './connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from './database.ts';

// Who is woken, by whom, and when: a community announces each change of itself.

const ACTOR = { kind: 'system', id: 'test', name: 'Test' } as const;

let database: TestDatabase;
let db: Database;
let listener: pg.Client;
let heard: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = createPool({ url: database.ownerUrl, maxConnections: 5, applicationName: 'test' });
  db = createDatabase({ pool, auditKey: Buffer.alloc(32, 1), now: () => new Date() });
  listener = new pg.Client({ connectionString: database.ownerUrl });
  await listener.connect();
  listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`));
  await listener.query('LISTEN copydesk_change; LISTEN copydesk_work');
});
afterAll(async () => {
  await listener.end();
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.write(WHOLE_SCOPE, ACTOR, ({ sql }) => sql.deleteFrom('community').execute());
  await quiet();
});

/** Until nothing more is heard than a tenth of a second ago. */
async function quiet(): Promise<void> {
  let before = -1;
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const isQuiet = heard.length === before;
    before = heard.length;
    return isQuiet;
  });
  heard = [];
}
const name = () => `Community ${crypto.randomUUID()}`;
const make = () =>
  db.write(WHOLE_SCOPE, ACTOR, ({ sql }) => sql.insertInto('community').values({ name: name() }).execute());

test('listeners are woken once a change is there, and many changes wake them ten times a second at most', async () => {
  await make();
  await until(async () => heard.length > 0);
  expect(heard).toEqual(['copydesk_change ']);
  await quiet();
  const startedAt = performance.now();
  for (let n = 0; n < 60; n++) await make();
  const tookMs = performance.now() - startedAt;
  const found = await asOwner(database.ownerUrl, 'SELECT FROM community');
  expect(found).toHaveLength(61);
  // The last change is heard of too.
  const before = heard.length;
  await until(async () => heard.length > before || performance.now() - startedAt > tookMs + 1_000);
  expect(heard.length).toBeGreaterThanOrEqual(1);
  expect(heard.length).toBeLessThanOrEqual(tookMs / 100 + 3);
});

test('a change that is undone wakes no listener, nor do those after it for it', async () => {
  const undone = db.write(WHOLE_SCOPE, ACTOR, async ({ sql }) => {
    await sql.insertInto('community').values({ name: name() }).execute();
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  for (let n = 0; n < 5; n++) await db.write(WHOLE_SCOPE, ACTOR, async () => {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).toEqual([]);
});

test('the transaction itself takes no lock of notifications, unless it does not say that it wakes afterwards', async () => {
  const insert = (wakesAfter: boolean) =>
    db.pool.connect().then(async (client) => {
      await beginTransaction(client, 'BEGIN', { scope: WHOLE_SCOPE, wakesAfter });
      await client.query('INSERT INTO community (name) VALUES ($1)', [name()]);
      await client.query('COMMIT');
      client.release();
    });
  await insert(true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).toEqual([]);
  await insert(false);
  await until(async () => heard.length > 0);
  // Whoever writes past the programs, and the version before.
  await quiet();
  await asOwner(database.ownerUrl, 'INSERT INTO community (name) VALUES ($1)', [name()]);
  await until(async () => heard.length > 0);
});

test('what is to be woken when a program ends is', async () => {
  const pool = createPool({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' });
  const ending = createDatabase({ pool, auditKey: Buffer.alloc(32, 1), now: () => new Date() });
  for (let n = 0; n < 3; n++)
    await ending.write(WHOLE_SCOPE, ACTOR, ({ sql }) =>
      sql.insertInto('community').values({ name: name() }).execute(),
    );
  await ending.close();
  await until(async () => heard.length > 0);
});
