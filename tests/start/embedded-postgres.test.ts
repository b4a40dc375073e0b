import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../apps/server/src/launcher/embedded-postgres.ts';
import { makeDataDir, removeDataDir } from '../support/product.ts';

const RESET = fileURLToPath(new URL('../../apps/server/src/bin/reset.ts', import.meta.url));
const folder = makeDataDir();
const dataDir = join(folder, 'data');
let running: EmbeddedPostgres | undefined;

async function start(): Promise<EmbeddedPostgres> {
  running = await startEmbeddedPostgres({ dataDir, cacheDir: join(folder, 'cache') });
  return running;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => removeDataDir(folder));

test('the owner may create roles and is bound by row-level security; the superuser cannot sign in', async () => {
  const { ownerUrl } = await start();
  const roles =
    'SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user';
  expect(await query(ownerUrl, roles)).toEqual([
    { rolsuper: false, rolbypassrls: false, rolcreaterole: true, rolcreatedb: false },
  ]);
  expect(await query(ownerUrl, "SELECT 'copydesk' % 'copydesc' AS is_similar")).toEqual([
    { is_similar: true },
  ]);
  expect(await query(ownerUrl, 'SHOW data_checksums')).toEqual([{ data_checksums: 'on' }]);
  await expect(query(ownerUrl.replace('//copydesk:', '//postgres:'), 'SELECT')).rejects.toThrow(
    /rejects connection/,
  );
  await expect(query(ownerUrl.replace(/:[^:@]+@/, ':wrong@'), 'SELECT')).rejects.toThrow(/password/);
});

test('the port stays the same, and moves when another program has taken it', async () => {
  const first = await start();
  await first.stop();
  const again = await start();
  expect(again.port).toBe(first.port);
  await again.stop();

  const other = createServer().listen(first.port, '127.0.0.1');
  await once(other, 'listening');
  const moved = await start();
  other.close();
  expect(moved.port).not.toBe(first.port);
  expect(await query(moved.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a lost password file is named, and nothing is changed', async () => {
  const before = await start();
  await query(before.ownerUrl, 'CREATE TABLE mark AS SELECT 1 AS one');
  await before.stop();
  const file = join(dataDir, 'postgres-access.json');
  renameSync(file, `${file}.aside`);
  await expect(start()).rejects.toThrow(`the file with its password, ${file}, is missing or damaged`);
  renameSync(`${file}.aside`, file);
  const { ownerUrl } = await start();
  expect(await query(ownerUrl, 'SELECT one FROM mark')).toEqual([{ one: 1 }]);
});

const reset = (input: string, ...args: string[]) =>
  spawnSync(process.execPath, [RESET, ...args], {
    input,
    encoding: 'utf8',
    env: { ...process.env, COPYDESK_DATA_DIR: dataDir },
  });

test('reset moves the data aside on demand, and the next start has a new database', async () => {
  const { ownerUrl: before, stop } = await start();
  const refused = reset('', '--yes');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`Copydesk runs on ${dataDir} (process ${process.pid})`);
  expect(await query(before, "SELECT to_regclass('mark') IS NULL AS is_new")).toEqual([{ is_new: false }]);
  await stop();
  expect(reset('n\n').stdout).toContain('Nothing was changed');
  expect(reset('', '--yes').stdout).toMatch(/data\.broken-\d{8}T\d{6}\./);
  const { ownerUrl } = await start();
  expect(await query(ownerUrl, "SELECT to_regclass('mark') IS NULL AS is_new")).toEqual([{ is_new: true }]);
});
