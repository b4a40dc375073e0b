import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../../../apps/server/src/platform/process/free-port.ts';
import { makeDataDir, removeDataDir } from '../../support/product.ts';
import { prepareTemplate } from '../../support/template-database.ts';
import { startTestCluster } from '../../support/test-cluster.ts';

const API = fileURLToPath(new URL('../../../apps/server/src/bin/api.ts', import.meta.url));
const ADMIN = fileURLToPath(new URL('../../../apps/server/src/bin/admin.ts', import.meta.url));
const START_LIMIT_MS = 20_000;

/** The API over an empty database, as a new installation has it: no demo world, nobody who may sign in. */
export async function startEmptyProduct() {
  const postgres = await startTestCluster();
  const dataDir = makeDataDir();
  let api: ChildProcess | null = null;
  const stop = async () => {
    if (api && api.exitCode === null) {
      api.kill('SIGTERM');
      await once(api, 'exit');
    }
    await removeDataDir(dataDir);
    await postgres.stop();
  };
  try {
    const databaseUrl = await createDatabase(postgres.ownerUrl);
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      COPYDESK_DATA_DIR: dataDir,
      COPYDESK_DEMO: '0',
      PORT: new URL(url).port,
      LOG_LEVEL: 'error',
    };
    api = spawn(process.execPath, [API], {
      // The channel tells the API when this process is gone, however that came about.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env,
    });
    await waitForHealth(url, api);
    /** What `npm run admin` on the server does with these arguments, and prints. */
    const admin = async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, [ADMIN, ...args], { env })).stdout;
    return { url, dataDir, admin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDatabase(ownerUrl: string): Promise<string> {
  const template = await prepareTemplate(ownerUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE "${template}" STRATEGY file_copy`);
  // A copy has the privileges of a new database: see migration 1001.
  await client.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function waitForHealth(url: string, api: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (api.exitCode !== null) throw new Error('The API ended before it answered.');
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The API did not answer within ${START_LIMIT_MS} ms.`);
}
