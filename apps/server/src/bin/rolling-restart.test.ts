import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { COMPILE_CACHE } from '../../../../tests/support/compile-cache.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database.ts';

const API = fileURLToPath(new URL('./api.ts', import.meta.url));
const documented = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../deploy/proxy/${name}`, import.meta.url)), 'utf8');
/** Long enough for several requests on a busy machine. */
const DRAIN_MS = 4_000;
const CLIENTS = 4;
const REQUESTS = 1_000;
/** An API that takes a second to start took 15 s on a busy machine, and four start. */
const PATIENCE_MS = 180_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
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
      DATABASE_URL: database.ownerUrl,
      DATABASE_POOL: '3',
      AUDIT_KEY: 'an audit key for these tests alone',
      BETTER_AUTH_SECRET: 'an identity secret for these tests alone',
      CREDENTIALS_KEY: 'a master key for these tests and no others',
      CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
      LOG_LEVEL: 'error',
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_PER_MINUTE: '1000000',
      PORT: String(port),
      DRAIN_MS: String(DRAIN_MS),
    },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/api/health`), { timeout: 30_000 }).toBe(200);
  return { stop, url: `http://127.0.0.1:${port}` };
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
    const apis = [await startApi(ports[0]), await startApi(ports[1])];
    const url = await start(ports);

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
      await startApi(port);
      // Longer than the proxy leaves out a server that refused a connection.
      await sleep(2_500);
    }
    isRestarting = false;
    await clients;
    expect(statuses.length).toBeGreaterThanOrEqual(REQUESTS);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  },
);
