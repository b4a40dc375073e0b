import { createServer, get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signIn, startApi } from '../../../../tests/support/api-process.ts';
import { applicationUrlOf } from '../../../../tests/support/application-url.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database.ts';
import { freePort, NGINX, PROXIES, statusOf } from '../../../../tests/support/documented-proxies.ts';

/** Long enough for several requests on a busy machine. */
const DRAIN_MS = 4_000;
const CLIENTS = 4;
/** The shortest time after which a console opens its stream again. */
const RECONNECT_MS = 500;
const REQUESTS = 1_000;
/** An API that takes a second to start took 15 s on a busy machine, and four start. */
const PATIENCE_MS = 600_000;

let database: TestDatabase;
let applicationUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  applicationUrl = await applicationUrlOf(database.ownerUrl);
});
afterAll(() => database?.drop());

/** An API that says that it will stop before it does. */
const start = (port: number) => startApi(port, applicationUrl, { DRAIN_MS: String(DRAIN_MS) });

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

test('a server says that it will stop, answers on without keeping connections, and then refuses them', {
  timeout: PATIENCE_MS,
}, async () => {
  const { url, stop } = await start(await freePort());
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

test('a server that the machine stopped for seconds answers what has queued', {
  timeout: PATIENCE_MS,
}, async () => {
  const api = await start(await freePort());
  const headers = { authorization: await signIn(api) };
  const read = () => Array.from({ length: 40 }, () => statusOf(`${api.url}/api/me`, { headers }));
  expect(new Set(await Promise.all(read()))).toEqual(new Set([200]));
  api.child.kill('SIGSTOP');
  const queued = read();
  await sleep(3_500);
  api.child.kill('SIGCONT');
  const next = read();
  expect(new Set(await Promise.all([...queued, ...next]))).toEqual(new Set([200]));
});

test.for(PROXIES)(
  'behind $proxy as documented, restarts of both servers lose no request',
  { timeout: PATIENCE_MS },
  async ({ start: startProxy, isThere }, context) => {
    if (!isThere) return context.skip();
    const ports = [await freePort(), await freePort()] as const;
    const first = await start(ports[0]);
    const apis = [first, await start(ports[1])];
    const { url } = await startProxy(ports);
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
      await start(port);
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

/** An API in name only, that answers as told. @returns its port, and what it was asked */
async function pretendApi(answer: (request: IncomingMessage) => number) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/api/health') asked.push(request);
    response.writeHead(request.url === '/api/health' ? 200 : answer(request)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

test.for(PROXIES)(
  'behind $proxy, a read that one server is too busy for is answered by the other, and no change is sent twice',
  {
    timeout: 600_000,
  },
  async ({ start: startProxy, isThere }, context) => {
    if (!isThere) return context.skip();
    const busy = await pretendApi(() => 503);
    const free = await pretendApi(() => 200);
    const { url } = await startProxy([busy.port, free.port]);
    const all = (method: string) =>
      Promise.all(Array.from({ length: 10 }, () => statusOf(`${url}/api/traders`, { method })));
    // Caddy asks the one with fewer requests, which one at a time is either.
    if (startProxy === NGINX.start) expect(await all('GET')).toEqual(Array(10).fill(200));
    else expect((await all('GET')).filter((status) => status === 200).length).toBeGreaterThan(5);
    expect(busy.asked.length).toBeGreaterThan(0);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const before = busy.asked.length + free.asked.length;
      expect(await all(method)).toContain(503);
      expect(busy.asked.length + free.asked.length, method).toBe(before + 10);
    }
  },
);

test.for(PROXIES)(
  'behind $proxy, only the networks that are named may say where a request comes from',
  {
    timeout: 600_000,
  },
  async ({ start: startProxy, isThere, proxy }, context) => {
    if (!isThere) return context.skip();
    const api = await pretendApi(() => 200);
    const uncommented = (network: string) => (text: string) =>
      text
        .replace('# set_real_ip_from 192.0.2.0/24', `set_real_ip_from ${network}`)
        .replace(/# (real_ip_\w+ )/g, '$1')
        .replace('# trusted_proxies 192.0.2.0/24 2001:db8::/32', `trusted_proxies ${network}`);
    const clientSeen = async (change?: (text: string) => string) => {
      const { url } = await startProxy([api.port, api.port], change);
      await statusOf(`${url}/api/traders`, { headers: { 'x-forwarded-for': '198.51.100.7' } });
      return api.asked.at(-1)?.headers['x-forwarded-for'];
    };
    expect(await clientSeen(), 'as it is').toBe('127.0.0.1');
    expect(await clientSeen(uncommented('203.0.113.0/24')), 'another network').toBe('127.0.0.1');
    expect(await clientSeen(uncommented('127.0.0.0/8')), 'the network that is named').toBe(
      proxy === 'nginx' ? '198.51.100.7' : '198.51.100.7, 127.0.0.1',
    );
  },
);

test('nginx as documented answers on IPv6 as well', { timeout: 600_000 }, async (context) => {
  if (!NGINX.isThere) return context.skip();
  const api = await pretendApi(() => 200);
  const { url6 } = await NGINX.start([api.port, api.port]);
  if (url6 === null) return context.skip('this machine has no IPv6');
  expect(await statusOf(`${url6}/api/traders`)).toBe(200);
});
