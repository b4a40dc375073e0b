import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { applyMigration } from './apply-migration.ts';
import { planMigrations } from './plan.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

async function connect(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl, application_name: name });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const PATIENCE = { lockTimeoutMs: 100, pauseMs: 50 };
const migrationOf = (name: string, text: string) => ({ name, text, checksum: 'of the test' });

test('a migration that waits for a lock lets requests through between its tries', async () => {
  const [owner, holder, reader] = [
    await connect('owner'),
    await connect('a long report'),
    await connect('reader'),
  ];
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE trader IN ACCESS SHARE MODE');
  const applying = applyMigration(
    owner,
    migrationOf('9001_column.sql', 'ALTER TABLE trader ADD COLUMN x text'),
    PATIENCE,
  );
  await sleep(150);
  // With a patient migration this would wait behind it until the holder ends.
  await reader.query("SET lock_timeout = '5s'");
  await reader.query('SELECT count(*) FROM trader');
  await holder.query('COMMIT');
  await applying;
  const { rows } = await reader.query(`SELECT name FROM schema_migration WHERE name = '9001_column.sql'`);
  expect(rows).toHaveLength(1);
});

test('a migration that PostgreSQL ends because of a deadlock is tried again', async () => {
  const owner = await connect('owner');
  await owner.query('CREATE SEQUENCE tries');
  await applyMigration(
    owner,
    migrationOf(
      '9003_deadlock.sql',
      `CREATE TABLE once (); DO $$ BEGIN
         IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF; END $$`,
    ),
    PATIENCE,
  );
  const { rows } = await owner.query(
    `SELECT to_regclass('once') IS NOT NULL AS made, last_value::int AS tries FROM tries`,
  );
  expect(rows).toEqual([{ made: true, tries: 2 }]);
});

test('one that never gets its lock names those who hold it, and changes nothing', async () => {
  const [owner, holder] = [await connect('owner'), await connect('a long report')];
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE trader IN ACCESS SHARE MODE');
  const migration = migrationOf(
    '9002_never.sql',
    'CREATE TABLE made (); ALTER TABLE trader ADD COLUMN y text',
  );
  await expect(applyMigration(owner, migration, { lockTimeoutMs: 20, pauseMs: 5 })).rejects.toThrow(
    /^9002_never\.sql could not get its locks in 10 tries\. These hold some: process \d+ \(a long report, open for/,
  );
  const { rows } = await owner.query(`SELECT to_regclass('made') AS made`);
  expect(rows).toEqual([{ made: null }]);
});

test('an index is made concurrently, also after a build that was interrupted', async () => {
  const owner = await connect('owner');
  await owner.query(`CREATE INDEX trader_half ON trader (name)`);
  await owner
    .query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'trader_half'::regclass`)
    .catch(() => {});
  const text = '-- Names, for a test.\nCREATE INDEX CONCURRENTLY trader_half ON trader (name, id);\n';
  await applyMigration(owner, migrationOf('9003_index.sql', text), PATIENCE);
  const { rows } = await owner.query(
    `SELECT indisvalid, pg_get_indexdef(indexrelid) AS made FROM pg_index WHERE indexrelid = 'trader_half'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true, made: expect.stringContaining('(name, id)') }]);
});

test('the plan of a database that lacks migrations says who waits; it changes nothing', async () => {
  const owner = await connect('owner');
  await owner.query(`DELETE FROM schema_migration WHERE name = '2010_invoices.sql'`);
  const plan = await planMigrations(database.ownerUrl);
  expect(plan[0]).toBe('2010_invoices.sql');
  expect(plan).toContain(
    '  ALTER TABLE closed_position ADD CONSTRAINT closed_position_invoice_id_fkey FOREIGN KEY (invoice_id)',
  );
  expect(plan).toContainEqual(
    expect.stringMatching(/^ {4}writes of closed_position wait while the table is read: about \d+ s \(about/),
  );
  expect(await planMigrations(database.ownerUrl)).toEqual(plan);
});
