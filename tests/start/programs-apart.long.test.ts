import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM_POSTGRES, startBareCluster } from '../support/bare-cluster.ts';
import { installAsDocumented, RUN_APART } from '../support/documented-services.ts';
import { findLastingPort } from '../support/product.ts';
import { until } from '../support/until.ts';

// What whoever has taken over the API can do to the worker, in an installation as docs/operations/set-up.md makes it.
const canRun = RUN_APART && SYSTEM_POSTGRES !== null;

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'copydesk-apart-'));
chmodSync(root, 0o755);
const folders = { etc: join(root, 'etc'), data: join(root, 'lib') };
let product: Awaited<ReturnType<typeof installAsDocumented>>;
let stopCluster: () => Promise<unknown>;
let superuserUrl: string;

beforeAll(async () => {
  if (!canRun || SYSTEM_POSTGRES === null) return;
  const cluster = await startBareCluster(SYSTEM_POSTGRES);
  stopCluster = cluster.stop;
  superuserUrl = cluster.adminUrl.replace(/[^/]+$/, 'copydesk');
  const port = await findLastingPort();
  const logins = {
    DATABASE_ADMIN_URL: cluster.adminUrl,
    DATABASE_OWNER_URL: cluster.urlOf('copydesk_owner', 'owner', 'copydesk'),
    DATABASE_BACKUP_URL: cluster.urlOf('copydesk_backup', 'backup', 'copydesk'),
  };
  const settings = {
    DATABASE_URL: cluster.urlOf('copydesk_login', 'login', 'copydesk'),
    DATABASE_DURABILITY: 'single',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '0',
    API_PROCESSES: '1',
    CHAIN_RPC_URLS: 'http://127.0.0.1:9',
    SMTP_URL: '',
    SMTP_FROM: 'Copydesk <console@example.com>',
    EGRESS_ADDRESSES: '203.0.113.10',
    PAYOUT_ADDRESS_HOLD_HOURS: '0',
    PAYOUT_MAX_PER_TRANSACTION: '5000',
    PAYOUT_MAX_PER_DAY: '20000',
    APPROVAL_ABOVE_USDT: '2000',
    PAYOUT_HARD_MAX: '20000',
  };
  const worker = {
    DATABASE_WORKER_URL: cluster.urlOf('copydesk_worker_login', 'worker', 'copydesk'),
  };
  const operator = {
    DATABASE_OPERATOR_URL: cluster.urlOf('copydesk_operator_login', 'operator', 'copydesk'),
  };
  product = await installAsDocumented({ settings, owner: logins, worker, operator, folders, port });
});
afterAll(async () => {
  await product?.stop();
  await stopCluster?.();
  rmSync(root, { recursive: true, force: true });
});

/** Runs a command as the user of the API. @returns whether it succeeded */
async function asApi(command: string): Promise<boolean> {
  const { uid, gid } = product.api;
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, ...(uid ? { uid, gid } : {}) };
  return promisify(execFile)('/bin/sh', ['-c', command], options).then(
    () => true,
    () => false,
  );
}

test.runIf(canRun)('the doctor says that workers are apart, and have keys of their own', async () => {
  await until(async () => (await product.doctor()).output.includes('ok\tWorkers run as users of their own'));
  const { output } = await product.doctor();
  expect(output).toContain("ok\tAudit entries of workers are under a key of the workers' own.");
  expect(output).toContain('ok\tKeys of pools are sealed to the workers');
  expect(product.output()).not.toContain('could change');
  expect(product.output()).not.toContain('"level":60');
});

test.runIf(canRun)('the user of the API reaches nothing of the worker', async () => {
  const { worker, api } = product;
  const heads = join(worker.stateFolder, 'audit-heads.jsonl');
  expect(await asApi(`test -r ${join(PROJECT, 'bin/copydesk')}`), 'the programs can be read').toBe(true);
  expect(await asApi(`kill -0 ${api.pid}`), 'its own process can be signalled').toBe(true);
  for (const command of [
    `kill -0 ${worker.pid}`,
    `cat /proc/${worker.pid}/environ`,
    `cat /proc/${worker.pid}/mem`,
    `cat ${join(folders.etc, 'worker.keys.env')}`,
    `cat ${join(folders.etc, 'keys.env')}`,
    `ls ${worker.stateFolder}`,
    `echo {} >> ${heads}`,
    `touch ${join(worker.stateFolder, 'secrets')}`,
    `touch ${join(PROJECT, 'apps/server/src/planted.ts')}`,
    `touch ${join(PROJECT, '.cache/compiled-modules/planted')}`,
    `mkdir ${join(PROJECT, '.cache/compiled-modules')}`,
  ])
    expect(await asApi(command), command).toBe(false);
});

/** What code in the API's process does get at, and why that is bounded. */
const REMAINING = {
  'waking a worker': 'It reads rows, and believes no text',
  'hearing what wakes a worker': 'A channel says that there is work, and no more',
  'the key of secrets of exchanges': 'It reads accounts for people. No key may withdraw',
  'the secret that sessions are signed with': 'It is what lets people in: it acts in their names',
  'the key of its own audit entries':
    'The chain is also noted outside, and entries of workers have a key of their own',
};

test.runIf(canRun)(
  'code in the process of the API gets at what is listed, and nothing of the worker',
  async () => {
    const { worker, api } = product;
    const { uid, gid, env } = api;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--no-warnings',
        join(PROJECT, 'tests/support/code-of-the-api.ts'),
        PROJECT,
        String(worker.pid),
        worker.stateFolder,
      ],
      { cwd: '/', env, ...(uid ? { uid, gid } : {}) },
    );
    const got = Object.entries(JSON.parse(stdout) as Record<string, boolean>);
    console.log(`${got.length} attempts, ${got.filter(([, reached]) => !reached).length} refused`);
    expect(got.filter(([, reached]) => reached).map(([what]) => what)).toEqual(Object.keys(REMAINING));
    expect(got.length).toBeGreaterThan(25);
  },
);

test.runIf(canRun)(
  'an API does not start as a superuser of the cluster, or with a secret of the worker',
  async () => {
    const refusal = (settings: string) =>
      product.shell(`set -a; . ${folders.etc}/settings.env; . ${folders.etc}/keys.env; . ${folders.etc}/api.keys.env; ${settings}
      PORT=0 ${join(PROJECT, 'bin/copydesk')} api`);
    const asSuperuser = await refusal(`DATABASE_URL=${superuserUrl}`);
    expect(asSuperuser).toMatchObject({
      code: 78,
      output: expect.stringContaining('which is a superuser of the cluster'),
    });
    const withSeed = await refusal(`. ${folders.etc}/worker.keys.env`);
    expect(withSeed.code).toBe(78);
    expect(withSeed.output.trim().split('\n')).toEqual([
      expect.stringContaining(
        'The API must not be given AUDIT_WORKER_KEY, POOL_KEYS_IDENTITY, WALLET_SEED: ',
      ),
    ]);
  },
);
