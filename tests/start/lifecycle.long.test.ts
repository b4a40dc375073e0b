import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { resolveDataFolders } from '../../apps/server/src/launcher/data-folders.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/launcher/embedded-postgres.ts';
import { asOwner } from '../support/owner.ts';
import { makeDataDir, type Product, processesOf, removeDataDir, startProduct } from '../support/product.ts';
import { runAdmin } from '../support/run-admin.ts';

const dataDir = makeDataDir();
afterAll(() => removeDataDir(dataDir));

/** Without DATABASE_URL: the program finds the database by its data folder. */
const admin = (...args: string[]) => runAdmin({ COPYDESK_DATA_DIR: dataDir }, ...args);
const start = () => startProduct({ COPYDESK_DATA_DIR: dataDir });

async function isHealthy({ url }: Product): Promise<boolean> {
  const response = await fetch(`${url}/api/health`).catch(() => undefined);
  return response?.ok ?? false;
}

/** A row that only this database has, to tell it from a new one. */
async function markDatabase(statement: string): Promise<pg.QueryResult> {
  const { port, password } = JSON.parse(readFileSync(join(dataDir, 'postgres-access.json'), 'utf8'));
  const client = new pg.Client(`postgres://copydesk:${password}@127.0.0.1:${port}/copydesk`);
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

// One data folder through its life: each test goes on where the one before ended.

test('the admin program says that nothing runs on a data folder, and changes nothing there', async () => {
  const answer = await admin('list');
  expect(answer.code).toBe(1);
  expect(answer.output).toContain(
    `Copydesk is not running on the data folder ${dataDir}. Start it with "npm start"`,
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

test('the first start brings everything up, says where, and SIGTERM leaves nothing behind', async () => {
  const product = await start();
  await product.prints(/Copydesk is running/);
  expect(product.output()).toContain(product.url);
  expect(product.output()).toContain('persona');
  expect(await isHealthy(product)).toBe(true);
  const notices = await (await fetch(`${product.url}/third-party.md`)).text();
  for (const name of ['react-dom', 'lucide-react', '@fontsource-variable/inter', 'tailwindcss'])
    expect(notices).toMatch(new RegExp(`^## ${name} - .*\\n\\n[^#]{500}`, 'm'));
  await markDatabase('CREATE TABLE mark AS SELECT 1');
  expect(statSync(join(dataDir, 'postgres-access.json')).mode & 0o077).toBe(0);
  expect(processesOf(dataDir).length).toBeGreaterThan(3);
  expect(await admin('list')).toMatchObject({
    code: 0,
    output: expect.stringContaining('super@demo.example'),
  });
  const created = await admin('create', '--email', 'ops@example.com');
  expect(created.output).toContain(`${product.url}/sign-in#/accept?token=`);
  expect(product.output()).not.toContain('no server of the chain answers');

  product.kill('SIGTERM');
  product.kill('SIGTERM');
  expect(await product.ended).toBe(0);
  expect(product.leftBehind()).toEqual([]);
});

test('a second start reuses the data', async () => {
  const begunAt = Date.now();
  const product = await start();
  await product.prints(/Copydesk is running/);
  // Told and not asserted: 5 s are wanted, and on a machine that does other things as well it takes longer.
  console.log(`a second start answered after ${Date.now() - begunAt} ms`);
  expect(product.output()).not.toContain('Creating the database');
  await markDatabase('SELECT FROM mark');

  product.kill('SIGINT');
  expect(await product.ended).toBe(0);
  expect(product.leftBehind()).toEqual([]);
});

let running: Product;

test('a start on a folder in use names the running one and leaves it alone', async () => {
  running = await start();
  await running.prints(/Copydesk is running/);
  const second = await start();
  expect(await second.ended).toBe(0);
  expect(second.output()).toContain('already runs');
  expect(second.output()).toContain(running.url);
  expect(await isHealthy(running)).toBe(true);
});

test('after a killed launcher its children end, and a start cleans up and keeps the data', async () => {
  running.kill('SIGKILL');
  await running.ended;

  const next = await startProduct({ COPYDESK_DATA_DIR: dataDir, PORT: new URL(running.url).port });
  await next.prints(/Copydesk is running/);
  expect(next.output()).toContain('an earlier run had left behind');
  expect(next.output()).not.toContain('ended unexpectedly');
  await markDatabase('SELECT FROM mark');
  running = next;
});

test('data of a later version are left as they are, with a word on the way out', async () => {
  await markDatabase(
    "INSERT INTO schema_migration (name, checksum) VALUES ('9999_later.sql', 'of another text')",
  );
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(running.leftBehind()).toEqual([]);

  const refused = await start();
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('could not be migrated');
  expect(refused.output()).toContain('npm run reset');
  expect(refused.output()).not.toMatch(/^ +at /m);
  expect(refused.leftBehind()).toEqual([]);
});

test('data whose migrations were rewritten since are left as they are too', async () => {
  const { ownerUrl, stop } = await startEmbeddedPostgres(resolveDataFolders(dataDir));
  await asOwner(
    ownerUrl,
    "UPDATE schema_migration SET name = '0001_access.sql' WHERE name = '9999_later.sql'",
  );
  await stop();
  const refused = await start();
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('Migration 0001_access.sql of this database is not one of this version');
  expect(refused.output()).toContain(`"npm run reset" moves ${dataDir} aside`);
  expect(readdirSync(join(dataDir, 'postgres'))).toContain('PG_VERSION');
});
