import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '../../../apps/server/src/platform/process/free-port.ts';
import { applicationUrlOf, workerUrlOf } from '../../support/application-url.ts';
import { COMPILE_CACHE } from '../../support/compile-cache.ts';
import { makeDataDir, removeDataDir } from '../../support/product.ts';
import { startEmptyDatabase } from './empty-database.ts';

const API = fileURLToPath(new URL('../../../apps/server/src/bin/api.ts', import.meta.url));
const ADMIN = fileURLToPath(new URL('../../../apps/server/src/bin/admin.ts', import.meta.url));
const START_LIMIT_MS = 60_000;

/**
 * The API over an empty database, as a new installation has it: no demo world, no one who may sign in.
 * @param settings variables beside those of every installation
 */
export async function startEmptyProduct(settings: Record<string, string> = {}) {
  const database = await startEmptyDatabase();
  const dataDir = makeDataDir();
  let api: ChildProcess | null = null;
  const stop = async () => {
    if (api && api.exitCode === null) {
      api.kill('SIGTERM');
      await once(api, 'exit');
    }
    await removeDataDir(dataDir);
    await database.stop();
  };
  try {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const env = {
      ...process.env,
      ...COMPILE_CACHE,
      DATABASE_URL: await applicationUrlOf(database.url),
      COPYDESK_DATA_DIR: dataDir,
      COPYDESK_DEMO: '0',
      PORT: new URL(url).port,
      LOG_LEVEL: 'error',
      ...settings,
    };
    api = spawn(process.execPath, [API], {
      // The channel tells the API when this process is gone, however that came about.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env,
    });
    await waitForHealth(url, api);
    /** What `npm run admin` on the server does with these arguments, and prints. */
    const ofWorkers = { ...env, DATABASE_WORKER_URL: await workerUrlOf(database.url) };
    const admin = async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, [ADMIN, ...args], { env: ofWorkers })).stdout;
    return { url, dataDir, admin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
