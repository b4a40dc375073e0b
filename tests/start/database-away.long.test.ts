import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { resolveDataFolders } from '../../apps/server/src/launcher/data-folders.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../apps/server/src/launcher/embedded-postgres.ts';
import { migrate } from '../../apps/server/src/platform/db/installation/migrate.ts';
import { applicationUrlOf, workerUrlOf } from '../support/application-url.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { findLastingPort, makeDataDir, removeDataDir } from '../support/product.ts';
import { AUDIT_KEY_TEXT } from '../support/test-keys.ts';
import { UNREACHABLE_EXCHANGES } from '../support/unreachable-exchanges.ts';

/** Each loop of a worker fails several times in this time. */
const AWAY_MS = 6_000;
const WARN = 40;

const dataDir = makeDataDir();
const { cacheDir } = resolveDataFolders();
const startPostgres = () => startEmbeddedPostgres({ dataDir, cacheDir, forTests: true });
let postgres: EmbeddedPostgres;
let applicationUrl: string;
let workerUrl: string;
beforeAll(async () => {
  postgres = await startPostgres();
  await migrate(postgres.ownerUrl);
  applicationUrl = await applicationUrlOf(postgres.ownerUrl);
  workerUrl = await workerUrlOf(postgres.ownerUrl);
});
afterAll(async () => {
  await postgres?.stop();
  await removeDataDir(dataDir);
});

/** A process over the database, and the lines of its log. */
async function startServer(name: 'api' | 'worker', env: Record<string, string>) {
  const script = fileURLToPath(new URL(`../../apps/server/src/bin/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...COMPILE_CACHE,
      ...UNREACHABLE_EXCHANGES,
      DATABASE_URL: name === 'api' ? applicationUrl : workerUrl,
      DATABASE_DURABILITY: 'single',
      AUDIT_KEY: AUDIT_KEY_TEXT,
      BETTER_AUTH_SECRET: 'an identity secret for these tests alone',
      CREDENTIALS_KEY: 'a master key for these tests and no others',
      CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
      COPYDESK_DATA_DIR: join(dataDir, name),
      ...env,
    },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = (): { level: number; msg: string }[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const says = (start: string) =>
    expect.poll(() => lines().some((line) => line.msg.startsWith(start)), { timeout: 600_000 }).toBe(true);
  return { lines, says, text: () => text };
}

test('while the database is away each process says so once, and once that it is back', async () => {
  const port = await findLastingPort();
  const [api, worker] = await Promise.all([
    startServer('api', { PORT: String(port) }),
    startServer('worker', {}),
  ]);
  await Promise.all([
    api.says('API listens'),
    // A line of the start that can follow, and is none about the outage.
    api.says('No super admin exists yet'),
    worker.says('worker started'),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const before = new Map([api, worker].map((server) => [server, server.lines().length]));
  const warnings = (server: typeof api) =>
    server
      .lines()
      .slice(before.get(server))
      .flatMap(({ level, msg }) => (level >= WARN ? msg : []));

  await postgres.stop();
  for (let n = 0; n < 5; n++) {
    expect((await fetch(`${url}/api/config`)).status).toBeGreaterThanOrEqual(500);
    await sleep(AWAY_MS / 5);
  }
  postgres = await startPostgres();
  const BACK = 'connections to the database work again';
  await Promise.all([api.says(BACK), worker.says(BACK)]);
  await expect.poll(async () => (await fetch(`${url}/api/config`)).status, { timeout: 600_000 }).toBe(200);

  for (const server of [api, worker]) {
    expect(warnings(server)).toEqual(['no connection to the database', BACK]);
    expect(server.text()).not.toContain('[object Object]');
  }
});
