import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { COMPILE_CACHE } from './compile-cache.ts';
import { statusOf } from './documented-proxies.ts';

const API = fileURLToPath(new URL('../../apps/server/src/bin/api.ts', import.meta.url));
/** Busy machines took most of a minute to start one. */
const PATIENCE_MS = 100_000;
const ORIGIN = 'https://console.example.com';

export interface ApiProcess {
  url: string;
  child: ChildProcess;
  /** Its log so far. */
  log(): string;
  /** @returns its exit code */
  stop(): Promise<number | null>;
}

/** An API process of its own, behind one proxy, until the test ends. */
export async function startApi(
  port: number,
  applicationUrl: string,
  env: Record<string, string> = {},
): Promise<ApiProcess> {
  const child = spawn(process.execPath, [API], {
    env: {
      ...COMPILE_CACHE,
      DATABASE_URL: applicationUrl,
      DATABASE_POOL: '3',
      DATABASE_DURABILITY: 'single',
      AUDIT_KEY: 'an audit key for these tests alone',
      BETTER_AUTH_SECRET: 'an identity secret for these tests alone',
      CREDENTIALS_KEY: 'a master key for these tests and no others',
      CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: ORIGIN,
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_PER_MINUTE: '1000000',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let log = '';
  child.stdout?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => statusOf(`${url}/api/health`), { timeout: PATIENCE_MS }).toBe(200);
  return { url, child, log: () => log, stop };
}

/** Signs in as the first super admin, after a set-up where it is missing. @returns the `authorization` of a console */
export async function signIn({ url, log }: ApiProcess): Promise<string> {
  const [email, password] = ['owner@desk.example', 'correct horse battery'];
  const send = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const config = await (await fetch(`${url}/api/config`)).json();
  if ((config as { data: { setup_required: boolean } }).data.setup_required) {
    const tokenIn = () => /enter this token within 24 hours: ([\w-]+)/.exec(log())?.[1];
    await expect.poll(tokenIn, { timeout: 10_000 }).toBeDefined();
    const answer = await send('/api/setup', { token: tokenIn(), email, name: 'Olga Owner', password });
    expect(answer.status).toBe(201);
  }
  const signedIn = await send('/api/auth/sign-in/email', { email, password });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const answer = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  return `Bearer ${((await answer.json()) as { token: string }).token}`;
}
