import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { applicationUrlOf } from '../../../../tests/support/application-url.ts';
import { COMPILE_CACHE } from '../../../../tests/support/compile-cache.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database.ts';

const API = fileURLToPath(new URL('./api.ts', import.meta.url));
const documented = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../deploy/proxy/${name}`, import.meta.url)), 'utf8');
/** Long enough for several requests on a busy machine. */
const DRAIN_MS = 4_000;
const ORIGIN = 'https://console.example.com';
const CLIENTS = 4;
/** The shortest time after which a console opens its stream again. */
const RECONNECT_MS = 500;
const REQUESTS = 1_000;
/** An API that takes a second to start took 15 s on a busy machine, and four start. */
const PATIENCE_MS = 180_000;

let database: TestDatabase;
let applicationUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  applicationUrl = await applicationUrlOf(database.ownerUrl);
});
afterAll(() => database?.drop());

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** An API process of its own, that tells that it will stop before it does. */
async function startApi(port: number) {
  const child: ChildProcess = spawn(process.execPath, [API], {
    env: {
      ...COMPILE_CACHE,
      DATABASE_URL: applicationUrl,
      DATABASE_POOL: '3',
      AUDIT_KEY: 'an audit key for these tests alone',
      BETTER_AUTH_SECRET: 'an identity secret for these tests alone',
      CREDENTIALS_KEY: 'a master key for these tests and no others',
      CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: ORIGIN,
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_PER_MINUTE: '1000000',
      PORT: String(port),
      DRAIN_MS: String(DRAIN_MS),
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
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/api/health`), { timeout: 30_000 }).toBe(200);
  return { stop, url: `http://127.0.0.1:${port}`, log: () => log };
}

/** Signs in as the first super admin, after a set-up if nobody has done it. @returns the `authorization` of a console */
async function signIn({ url, log }: Awaited<ReturnType<typeof startApi>>): Promise<string> {
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

const statusOf = (url: string) =>
  url.startsWith('https:')
    ? secureStatusOf(url)
    : fetch(url).then(
        async (answer) => {
          await answer.text();
          return answer.status;
        },
        () => 0,
      );

/** A console's stream of changes, opened again whenever it ends. @returns the statuses with which it was answered */
async function followChanges(url: string, authorization: string, stop: AbortSignal): Promise<number[]> {
  const answered: number[] = [];
  const options = { rejectUnauthorized: false, headers: { authorization }, signal: stop };
  const streamToItsEnd = () =>
    new Promise<void>((resolve) => {
      const request = (url.startsWith('https:') ? get : getPlain)(`${url}/api/events`, options, (answer) => {
        answered.push(answer.statusCode ?? 0);
        answer.once('error', () => {}).once('close', resolve);
        answer.resume();
      });
      request.once('error', () => resolve());
    });
  while (!stop.aborted) {
    await streamToItsEnd();
    await sleep(RECONNECT_MS);
  }
  return answered;
}

/** The same from a proxy with a certificate of its own making. */
function secureStatusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(url, { rejectUnauthorized: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', () => resolve(0));
    });
    request.once('error', () => resolve(0));
  });
}

test('a server says that it will stop, answers on without keeping connections, and then refuses them', async () => {
  const { url, stop } = await startApi(await freePort());
  const kept = await fetch(`${url}/api/config`);
  expect([kept.status, kept.headers.get('connection')]).toEqual([200, 'keep-alive']);
  // Not migrated by this process, and without a worker: ready or not, until it leaves it says nothing of leaving.
  expect(await (await fetch(`${url}/api/ready`)).text()).not.toContain('about to stop');

  const ended = stop();
  await expect.poll(async () => (await fetch(`${url}/api/ready`)).status).toBe(503);
  const ready = await fetch(`${url}/api/ready`);
  expect(await ready.json()).toEqual({
    success: false,
    error: 'unavailable',
    message: 'This process is about to stop',
  });
  const answer = await fetch(`${url}/api/config`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended).toBe(0);
  await expect(fetch(`${url}/api/config`)).rejects.toThrow();
});

function isInstalled(program: string, flag: string): boolean {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The documented configuration with these ports, in a folder of its own. */
async function startNginx(apis: readonly [number, number]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-nginx-'));
  const port = await freePort();
  const site = documented('nginx.conf')
    .replace('127.0.0.1:3001', `127.0.0.1:${apis[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${apis[1]}`)
    .replace('listen 80', `listen 127.0.0.1:${await freePort()}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/letsencrypt/live/console.example.com', folder);
  const certificate = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=console.example.com', ...certificate],
    { stdio: 'ignore' },
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
     events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
  );
  const args: Proxy['args'] = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')];
  return runProxy({ args, folder, url: `https://127.0.0.1:${port}` });
}

/** The documented configuration, without TLS. */
async function startCaddy(apis: readonly [number, number]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-caddy-'));
  const port = await freePort();
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${documented('Caddyfile')}`);
  const env = {
    CONSOLE_HOST: `http://127.0.0.1:${port}`,
    COPYDESK_APIS: apis.map((api) => `127.0.0.1:${api}`).join(' '),
    HOME: folder,
  };
  const args: Proxy['args'] = [
    'caddy',
    'run',
    '--config',
    join(folder, 'Caddyfile'),
    '--adapter',
    'caddyfile',
  ];
  return runProxy({ args, folder, url: env.CONSOLE_HOST, env });
}

interface Proxy {
  args: [program: string, ...string[]];
  folder: string;
  url: string;
  env?: Record<string, string>;
}

async function runProxy({ args: [program, ...args], folder, url, env }: Proxy): Promise<string> {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: '/usr/sbin:/usr/bin:/bin', ...env } });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => statusOf(`${url}/api/health`), { timeout: 10_000 }).toBe(200);
  return url;
}

const PROXIES = [
  {
    proxy: 'nginx',
    start: startNginx,
    isThere: isInstalled('nginx', '-v') && isInstalled('openssl', 'version'),
  },
  { proxy: 'Caddy', start: startCaddy, isThere: isInstalled('caddy', 'version') },
];

test.for(PROXIES)(
  'behind $proxy as documented, restarts of both servers lose no request',
  { timeout: PATIENCE_MS },
  async ({ start, isThere }, context) => {
    if (!isThere) return context.skip();
    const ports = [await freePort(), await freePort()] as const;
    const first = await startApi(ports[0]);
    const apis = [first, await startApi(ports[1])];
    const url = await start(ports);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const streams = followChanges(url, await signIn(first), stop.signal);

    const statuses: number[] = [];
    let isRestarting = true;
    const client = async () => {
      while (isRestarting || statuses.length < REQUESTS) {
        statuses.push(await statusOf(`${url}/api/config`));
        await sleep(5);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    for (const [index, port] of ports.entries()) {
      expect(await apis[index]?.stop()).toBe(0);
      // The next one follows at once, as in docs/operations/upgrading.md.
      await startApi(port);
    }
    isRestarting = false;
    await clients;
    stop.abort();
    // Open at the beginning, and again after a restart that ended it.
    expect((await streams).filter((status) => status === 200).length).toBeGreaterThan(1);
    expect(statuses.length).toBeGreaterThanOrEqual(REQUESTS);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  },
);
