import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { makeDataDir, removeDataDir, startProduct } from '../support/product.ts';
import { startTestCluster } from '../support/test-cluster.ts';

const dataDir = makeDataDir();
const postgres = await startTestCluster();
afterAll(async () => {
  await removeDataDir(dataDir);
  await postgres.stop();
});

test('with DATABASE_URL the product migrates that database and brings no demo world', async () => {
  const cluster = new pg.Client(postgres.ownerUrl);
  await cluster.connect();
  await cluster.query('DROP DATABASE IF EXISTS test_own WITH (FORCE)');
  await cluster.query('CREATE DATABASE test_own');
  const url = postgres.ownerUrl.replace(/[^/]+$/, 'test_own');

  const product = await startProduct({
    COPYDESK_DATA_DIR: dataDir,
    DATABASE_URL: url,
    DATABASE_DURABILITY: 'single',
  });
  await product.prints(/Copydesk is running/);
  expect(product.output()).not.toContain('demo');
  // The API would refuse the owner's login that was given.
  expect(product.output()).toContain('DATABASE_URL is not the login of an application: this start makes one');
  const own = new pg.Client(url);
  await own.connect();
  await own.query("SET copydesk.scope = 'all'");
  expect((await own.query('SELECT count(*)::int FROM provider')).rows).toEqual([{ count: 0 }]);
  const logins = ['copydesk_start_test_own', 'copydesk_start_test_own_worker'];
  const connected = async () => {
    const { rows } = await own.query(
      `SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'test_own' AND application_name LIKE 'copydesk-%'`,
    );
    return rows.map(({ usename }) => usename).sort();
  };
  // The worker may connect after the API answers.
  await expect.poll(connected).toEqual(logins);
  await own.end();

  product.kill('SIGTERM');
  expect(await product.ended).toBe(0);
  expect(product.leftBehind()).toEqual([]);
  await cluster.query('DROP DATABASE test_own WITH (FORCE)');
  for (const login of logins) await cluster.query(`DROP ROLE ${login}`);
  await cluster.end();
});
