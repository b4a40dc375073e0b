import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../apps/server/src/launcher/embedded-postgres.ts';
import { makeDataDir, removeDataDir, startProduct } from '../support/product.ts';

const folder = makeDataDir();
const dataDir = join(folder, 'data');
let ownerUrl: string;

/** A data folder whose database an earlier version migrated, by migrations that were squashed since. */
beforeAll(async () => {
  const postgres = await startEmbeddedPostgres({ dataDir, cacheDir: join(folder, 'cache') });
  ownerUrl = postgres.ownerUrl;
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query('CREATE TABLE schema_migration (name text PRIMARY KEY, checksum text NOT NULL)');
  await client.query(`INSERT INTO schema_migration VALUES ('0001_access.sql', 'of another text')`);
  await client.end();
  await postgres.stop();
}, 120_000);
afterAll(() => removeDataDir(folder));

test('a demo world of an earlier schema is moved aside, and a new one is created', async () => {
  const product = await startProduct({ COPYDESK_DATA_DIR: dataDir });
  await product.prints(/Copydesk is running/);
  const aside = readdirSync(dirname(dataDir)).filter((name) =>
    name.startsWith(`${basename(dataDir)}.broken-`),
  );
  expect(aside).toHaveLength(1);
  expect(readdirSync(join(folder, aside[0] as string))).toContain('postgres');
  const said = product
    .output()
    .split('\n')
    .filter((line) => line.includes('earlier schema'));
  expect(said).toEqual([
    `The demo world is of an earlier schema. It was moved to ${join(folder, aside[0] as string)}; a new one is created.`,
  ]);
  product.kill('SIGINT');
  expect(await product.ended).toBe(0);
  expect(product.leftBehind()).toEqual([]);
});
