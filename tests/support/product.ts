import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../apps/server/src/platform/process/free-port.ts';

const START = fileURLToPath(new URL('../../apps/server/src/bin/start.ts', import.meta.url));

export interface Product {
  url: string;
  pid: number;
  /** The whole output so far. */
  output(): string;
  /** Waits until the output matches; fails with the output when it does not in time. */
  prints(text: RegExp, timeoutMs?: number): Promise<void>;
  /** Waits for the end; returns the exit code, or the name of the signal that ended it. */
  ended: Promise<number | string | null>;
  /** Processes still running on the data folder when the launcher had ended. */
  leftBehind(): number[];
  kill(signal: NodeJS.Signals): void;
}

const given = new Set<number>();

/**
 * A free port that stays free until the product listens on it, which is after it has filled its database: products that
 * start beside it take theirs from another range, and no two callers in this process get the same.
 */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = await findFreePort(15_000 + Math.floor(Math.random() * 5_000));
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/** Runs the program of `npm start`, on a free port and with the given settings. */
export async function startProduct(
  settings: Record<string, string> & { COPYDESK_DATA_DIR: string },
): Promise<Product> {
  const port = settings.PORT ?? String(await findLastingPort());
  const {
    DATABASE_URL: _url,
    DATABASE_OWNER_URL: _ownerUrl,
    npm_lifecycle_event: _npm,
    ...inherited
  } = process.env;
  const env = {
    ...inherited,
    NODE_ENV: '',
    LOG_LEVEL: 'warn',
    DEMO_FIRST_ACTS: '0',
    ...settings,
    PORT: port,
  };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  let leftBehind: number[] = [];
  child.once('exit', () => {
    leftBehind = processesOf(settings.COPYDESK_DATA_DIR);
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => text,
    prints: (pattern, timeoutMs = 300_000) =>
      waitUntil(
        () => pattern.test(text),
        timeoutMs,
        () => `${pattern} in:\n${text}`,
      ),
    ended,
    leftBehind: () => leftBehind,
    kill: (signal) => child.kill(signal),
  };
}

/** A data folder for one test, reachable for PostgreSQL's user when the tests run as root. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'copydesk-test-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** Ends processes that a failed test left running on the folder, and removes it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  for (const pid of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
  await waitUntil(
    () => processesOf(dataDir).length === 0,
    5000,
    () => 'processes to end',
  );
  // A backend of a killed server may still write for a moment.
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Every process of a data folder: named on its command line or inherited in its environment. */
export function processesOf(dataDir: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids
    .filter((pid) => readProc(pid, 'cmdline').includes(dataDir) || readProc(pid, 'environ').includes(dataDir))
    .map(Number);
}

export async function waitUntil(isTrue: () => boolean, timeoutMs: number, what: () => string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what()}`);
    await sleep(20);
  }
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
