import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddedPostgres } from '../../apps/server/src/launcher/embedded-postgres.ts';
import { migrate } from '../../apps/server/src/platform/db/installation/migrate.ts';
import { asOwner } from '../support/owner.ts';
import { makeDataDir, removeDataDir, startProduct } from '../support/product.ts';
import { startTestCluster } from '../support/test-cluster.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

async function startAndFail(settings: Record<string, string>): Promise<string> {
  const product = await startProduct({ COPYDESK_DATA_DIR: dataDir, ...settings });
  expect(await product.ended).toBe(1);
  // A message is for the person who typed the command: no stack.
  expect(product.output()).not.toMatch(/^\s+at /m);
  return product.output();
}

describe('the port', () => {
  test('in use: named at once, with the way out, and nothing is touched', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    const output = await startAndFail({ PORT: String(port) });
    other.close();
    expect(output).toContain(`Port ${port} is in use`);
    expect(output).toMatch(/PORT=\d+ npm start/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('no number', async () => {
    expect(await startAndFail({ PORT: 'abc' })).toContain('PORT');
  });
});

describe('a damaged data folder', () => {
  test.each([
    ['nothing in it', {}, /no PG_VERSION/],
    ['another major version', { PG_VERSION: '15\n' }, /made by PostgreSQL 15 .* this is PostgreSQL 18/],
    [
      'the file with the password missing',
      { PG_VERSION: '18\n' },
      /file with its password, .*postgres-access\.json, is missing/,
    ],
    [
      'the rest missing',
      { PG_VERSION: '18\n', '../postgres-access.json': '{"port":0,"password":"s3cret"}' },
      /does not start/,
    ],
  ])('%s', async (_name, files, problem) => {
    const clusterDir = join(dataDir, 'postgres');
    mkdirSync(clusterDir, { mode: 0o700 });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(clusterDir, name), text);
    const output = await startAndFail({});
    expect(output).toMatch(problem);
    expect(output).toContain(clusterDir);
    expect(output).toContain('npm run reset');
    expect(existsSync(clusterDir)).toBe(true);
    rmSync(clusterDir, { recursive: true });
  });
});

describe('a wrong DATABASE_URL', () => {
  let postgres: EmbeddedPostgres;
  beforeAll(async () => {
    postgres = await startTestCluster();
  });
  afterAll(() => postgres.stop());

  const variants: [string, () => string, RegExp][] = [
    ['another scheme', () => 'mysql://copydesk:s3cret@127.0.0.1/copydesk', /not a PostgreSQL address/],
    ['no address', () => 's3cret', /not a PostgreSQL address/],
    [
      'nothing listens',
      () => 'postgres://copydesk:s3cret@127.0.0.1:9/copydesk',
      /nothing answers at 127\.0\.0\.1:9/,
    ],
    [
      'no such host',
      () => 'postgres://copydesk:s3cret@no-such-host.invalid/copydesk',
      /no host named no-such-host/,
    ],
    [
      'wrong password',
      () => postgres.ownerUrl.replace(/:[^:@]+@/, ':s3cret@'),
      /password for user "copydesk"/,
    ],
    ['no such database', () => postgres.ownerUrl.replace(/[^/]+$/, 'nowhere'), /no database "nowhere"/],
  ];
  test.each(variants)('%s', async (_name, url, problem) => {
    const output = await startAndFail({ DATABASE_URL: url() });
    expect(output).toMatch(problem);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).not.toContain('s3cret');
    expect(output).not.toContain(new URL(postgres.ownerUrl).password);
  });

  test('a role that owns tables', async () => {
    // A database of its own: that of the cluster is what the other tests copy.
    await asOwner(postgres.ownerUrl, 'DROP DATABASE IF EXISTS test_role WITH (FORCE)');
    await asOwner(postgres.ownerUrl, 'CREATE DATABASE test_role');
    const url = postgres.ownerUrl.replace(/[^/]+$/, 'test_role');
    await migrate(url);
    await asOwner(
      url,
      `GRANT CREATE ON SCHEMA public TO copydesk_app;
       ALTER TABLE vip_tier OWNER TO copydesk_app;
       REVOKE CREATE ON SCHEMA public FROM copydesk_app`,
    );
    const output = await startAndFail({ DATABASE_URL: url });
    expect(output.trim().split('\n').at(-1)).toMatch(/^The role copydesk_app owns tables of this database/);
  });
});
