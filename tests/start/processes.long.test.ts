import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDir, type Product, removeDataDir, startProduct, waitUntil } from '../support/product.ts';
import { startTestCluster } from '../support/test-cluster.ts';

type Environment = Record<string, string>;

/** The environments of the children of a product as the system shows them, by the file that each runs. */
function environmentsOf({ pid }: Product): Record<string, Environment> {
  const found: Record<string, Environment> = {};
  for (const child of childrenOf(pid)) {
    const [script] = /[\w-]+\.ts/.exec(readFileSync(`/proc/${child}/cmdline`, 'utf8')) ?? [];
    const lines = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0').filter(Boolean);
    if (script)
      found[script] = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
  }
  return found;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        return Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${child}/stat`, 'utf8'))?.[1]) === pid;
      } catch {
        return false; // it has just ended
      }
    });
}

const readiness = async ({ url }: Product): Promise<unknown> =>
  ((await (await fetch(`${url}/api/ready`)).json()) as { data: unknown }).data;

const stop = async (product: Product) => {
  product.kill('SIGTERM');
  expect(await product.ended).toBe(0);
};

describe('in the demo world', () => {
  const dataDir = makeDataDir();
  afterAll(() => removeDataDir(dataDir));

  test('each process has its own settings only, and no login of the owner', async () => {
    const product = await startProduct({
      COPYDESK_DATA_DIR: dataDir,
      // Other variables in the environment of the person who starts it.
      AWS_SECRET_ACCESS_KEY: 'canary-cloud',
      BETTER_AUTH_SECRET: 'canary-sessions-of-32-characters',
      DATABASE_POOL: '5',
    });
    await product.prints(/Copydesk is running/);
    const { 'api.ts': api, 'worker.ts': worker, 'simulators.ts': simulators } = environmentsOf(product);
    if (!api || !worker || !simulators) throw new Error('a process is missing');
    const { password } = JSON.parse(readFileSync(join(dataDir, 'postgres-access.json'), 'utf8'));
    for (const env of [api, worker, simulators]) {
      expect(JSON.stringify(env)).not.toContain(password);
      expect(JSON.stringify(env)).not.toContain('canary-cloud');
      expect(Object.keys(env)).not.toContain('DATABASE_OWNER_URL');
    }
    expect(Object.keys(api)).not.toContain('WALLET_SEED');
    expect(Object.keys(api)).not.toContain('TELEGRAM_BOT_TOKEN');
    expect(Object.keys(api).filter((name) => name.startsWith('SIMULATORS_'))).toEqual([]);
    expect(api.BETTER_AUTH_SECRET).toContain('canary-sessions');
    expect(worker.WALLET_SEED).toMatch(/^[0-9a-f]+$/);
    expect(JSON.stringify(worker)).not.toContain('canary-sessions');
    expect([api.DATABASE_POOL, worker.DATABASE_POOL]).toEqual(['5', '5']);
    const own = Object.keys(simulators).filter((name) =>
      /^(DATABASE|WALLET|AUDIT|CREDENTIALS|BETTER_AUTH|CHAIN|PG)/.test(name),
    );
    expect(own).toEqual([]);

    const client = new pg.Client(api.DATABASE_URL);
    await client.connect();
    const { rows } = await client.query(
      `SELECT rolname, rolsuper, rolcreaterole, rolbypassrls, pg_has_role(current_user, 'copydesk', 'MEMBER') AS is_owner
       FROM pg_roles WHERE rolname = current_user`,
    );
    expect(rows).toEqual([
      {
        rolname: 'copydesk_login',
        rolsuper: false,
        rolcreaterole: false,
        rolbypassrls: false,
        is_owner: false,
      },
    ]);
    await expect(client.query('CREATE TEMPORARY TABLE x ()')).rejects.toThrow(/permission denied/);
    await client.end();

    // It all works with that login: the worker has said that it is alive.
    await expect
      .poll(() => readiness(product), { timeout: 600_000 })
      .toMatchObject({ workers: 1, audit: 'intact', problems: [] });
    expect(product.output()).not.toMatch(/"level":50/);
    await stop(product);
  });
});

describe('with a database that was given', () => {
  const dataDir = makeDataDir();
  let url: string;
  let cluster: pg.Client;
  let stopCluster: () => Promise<void>;
  beforeAll(async () => {
    const postgres = await startTestCluster();
    stopCluster = postgres.stop;
    cluster = new pg.Client(postgres.ownerUrl);
    await cluster.connect();
    await cluster.query('DROP DATABASE IF EXISTS test_processes WITH (FORCE)');
    await cluster.query('CREATE DATABASE test_processes');
    url = postgres.ownerUrl.replace(/[^/]+$/, 'test_processes');
  });
  afterAll(async () => {
    await removeDataDir(dataDir);
    await cluster.query('DROP DATABASE test_processes WITH (FORCE)');
    await cluster.end();
    await stopCluster();
  });

  test('a worker that cannot start takes nothing else down, and readiness says so', async () => {
    const product = await startProduct({
      COPYDESK_DATA_DIR: dataDir,
      DATABASE_URL: url,
      DATABASE_DURABILITY: 'single',
      WALLET_SEED: 'no seed at all',
    });
    await product.prints(/Copydesk is running/);
    await product.prints(/The worker ended 5 times in quick succession .* Starting it again in \d+ s/);
    expect(await readiness(product)).toMatchObject({
      workers: 0,
      audit: 'unchecked',
      problems: [expect.stringMatching(/^No worker has reported/)],
    });
    expect(product.output()).not.toContain('no seed at all');
    await stop(product);
    expect(product.leftBehind()).toEqual([]);
  });

  test('a worker that is killed comes back', async () => {
    const product = await startProduct({
      COPYDESK_DATA_DIR: dataDir,
      DATABASE_URL: url,
      DATABASE_DURABILITY: 'single',
    });
    await product.prints(/Copydesk is running/);
    const workers = () => childrenOf(product.pid).filter((pid) => commandOf(pid).includes('worker.ts'));
    const [first] = workers();
    process.kill(first ?? 0, 'SIGKILL');
    await waitUntil(
      () => workers().some((pid) => pid !== first),
      20_000,
      () => 'another worker',
    );
    await stop(product);
  });
});

/** What a process was started with; nothing once it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
