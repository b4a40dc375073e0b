import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EXCHANGES } from '@copydesk/domain/catalogue';
import { ALLOCATOR, NODE_FLAGS } from '../../apps/server/src/launcher/memory-limits.ts';
import { findFreePort } from '../../apps/server/src/platform/process/free-port.ts';
import { applicationUrlOf, workerUrlOf } from '../../tests/support/application-url.ts';
import { BOX, POOL_KEY_IDENTITIES } from '../../tests/support/test-keys.ts';
import { BENCH_KEY } from './bench-keyring.ts';

const bin = (name: string) => fileURLToPath(new URL(`../../apps/server/src/bin/${name}.ts`, import.meta.url));

export interface RunningProcess {
  /** Resident memory now, and the peak since the start, in MB. */
  memory(): { nowMb: number; peakMb: number };
  stop(): Promise<void>;
}

export interface RunningApi extends RunningProcess {
  url: string;
}

/** The API like in production: a process of its own, with its log discarded, or in a file. */
export async function startApi(
  databaseUrl: string,
  dataDir: string,
  env: Record<string, string> = {},
  { program = bin('api'), logFile }: { program?: string; logFile?: string } = {},
): Promise<RunningApi> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [...NODE_FLAGS, program], {
    stdio: ['ignore', logFile ? openSync(logFile, 'w') : 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...ALLOCATOR,
      NODE_COMPILE_CACHE: join(dataDir, 'compiled-modules'),
      DATABASE_URL: await applicationUrlOf(databaseUrl),
      DATABASE_DURABILITY: 'single',
      COPYDESK_DATA_DIR: dataDir,
      COPYDESK_DEMO: '1',
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '100000000',
      LOG_LEVEL: 'info',
      CREDENTIALS_KEY: BENCH_KEY,
      POOL_KEYS_RECIPIENT: BOX.recipient,
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForHealth(url, child);
  return { url, ...running(child) };
}

/** A worker like in production, with unreachable exchanges. */
export async function startWorker(databaseUrl: string, dataDir: string): Promise<RunningProcess> {
  const nowhere = EXCHANGES.map((exchange) => [
    `EXCHANGE_${exchange.toUpperCase()}_URL`,
    'http://127.0.0.1:9',
  ]);
  const child = spawn(process.execPath, [...NODE_FLAGS, bin('worker')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...ALLOCATOR,
      ...Object.fromEntries(nowhere),
      DATABASE_URL: await workerUrlOf(databaseUrl),
      DATABASE_DURABILITY: 'single',
      COPYDESK_DATA_DIR: dataDir,
      LOG_LEVEL: 'fatal',
      CREDENTIALS_KEY: BENCH_KEY,
      POOL_KEYS_IDENTITY: POOL_KEY_IDENTITIES[0],
    },
  });
  return running(child);
}

function running(child: ChildProcess): RunningProcess {
  return {
    memory: () => readMemory(child.pid ?? 0),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export async function signIn(url: string, persona: string): Promise<string> {
  const response = await fetch(`${url}/api/demo/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ persona }),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
}

async function waitForHealth(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error('The API ended before it answered.');
    const response = await fetch(`${url}/api/health`).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error('The API did not answer.');
}

/** Memory of a process, in MB. */
export function readMemory(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { nowMb: kb('VmRSS') / 1024, peakMb: kb('VmHWM') / 1024 };
}
