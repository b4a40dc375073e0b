import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { workerUrlOf } from './application-url.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { AUDIT_KEY_TEXT } from './test-app.ts';
import { UNREACHABLE_EXCHANGES } from './unreachable-exchanges.ts';

const WORKER = fileURLToPath(new URL('../../apps/server/src/bin/worker.ts', import.meta.url));

/** The environment of a child process: these settings, and none of the machine's. */
export const childEnvironment = (settings: Record<string, string>) => ({
  PATH: process.env.PATH,
  ...COMPILE_CACHE,
  ...settings,
});

/**
 * Starts the product's worker with its own login over a test database, until the test ends. Without settings it reaches
 * no exchange.
 * @param port of a proxy to the database
 */
export async function startWorkerProcess(
  ownerUrl: string,
  settings: Record<string, string> = {},
  port?: string,
): Promise<ChildProcess> {
  const url = new URL(await workerUrlOf(ownerUrl));
  if (port) url.port = port;
  const child = spawn(process.execPath, [WORKER], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: childEnvironment({
      ...UNREACHABLE_EXCHANGES,
      DATABASE_URL: url.href,
      DATABASE_DURABILITY: 'single',
      AUDIT_KEY: AUDIT_KEY_TEXT,
      CREDENTIALS_KEY: 'test-master-key-0123456789-0123456789',
      CREDENTIALS_INDEX_KEY: 'x'.repeat(32),
      LOG_LEVEL: 'fatal',
      ...settings,
    }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
