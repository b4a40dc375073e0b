import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { getGlobalDispatcher } from 'undici';
import { expect, test } from 'vitest';
import {
  CREDENTIALS,
  type Reply,
  type SentRequest,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../../tests/support/exchanges/loopback-venue.ts';
import { createExchangeGateway } from '../create-gateway.ts';
import { GatewayError, type VenueSettings } from '../gateway.ts';
import { createHyperliquid } from '../hyperliquid/hyperliquid.ts';
import { onlyReads } from '../venue.ts';
import { currentCall } from './current-call.ts';
import { createVenueFetch } from './venue-fetch.ts';

const BALANCE = { retCode: 0, result: { list: [{ totalEquity: '1234.5' }] } };

/** A gateway to one venue with prepared answers. */
async function setUp(
  respond: (request: SentRequest, nth: number) => Reply,
  settings: Partial<VenueSettings> = {},
) {
  const venue = await startLoopbackVenue(respond);
  const gateway = createExchangeGateway(settingsAt(venue.url, settings), { now: Date.now });
  return {
    ...venue,
    gateway,
    equity: () =>
      gateway.equity({ key: 'a', credentials: CREDENTIALS.bybit }, { priority: 'interactive', maxAgeMs: 0 }),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await venue[Symbol.asyncDispose]();
    },
  };
}

const errorOf = (read: Promise<unknown>): Promise<GatewayError> =>
  read.then(
    () => Promise.reject(new Error('no error')),
    (error) => {
      expect(error).toBeInstanceOf(GatewayError);
      return error;
    },
  );

test('an answer is read, packed or not', async () => {
  await using venue = await setUp((_request, nth) =>
    nth === 1
      ? { body: BALANCE }
      : {
          body: gzipSync(JSON.stringify(BALANCE)),
          headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
        },
  );
  expect(await venue.equity()).toMatchObject({ equityUsd: '1234.5' });
  expect(await venue.equity()).toMatchObject({ equityUsd: '1234.5' });
});

test('a venue that does not answer in time is given up', async () => {
  await using venue = await setUp(() => 'hang', { timeoutMs: 150 });
  expect(await errorOf(venue.equity())).toMatchObject({ code: 'timeout', isRetryable: true });
  expect(venue.requests).toHaveLength(1);
});

test('a GET is retried once when the connection was reset before an answer', async () => {
  await using flaky = await setUp((_request, nth) => (nth === 1 ? 'reset' : { body: BALANCE }));
  expect(await flaky.equity()).toMatchObject({ equityUsd: '1234.5' });
  // One more for the mode of the account.
  expect(await flaky.gateway.usage()).toMatchObject({ bybit: { requests: 3, weight: 3 } });
  await using dead = await setUp(() => 'reset');
  expect(await errorOf(dead.equity())).toMatchObject({ code: 'venue_unavailable' });
  expect(dead.requests).toHaveLength(2);
});

test('a POST is sent once, even for a read', async () => {
  await using venue = await setUp(() => 'reset');
  const account = { key: 'h', credentials: CREDENTIALS.hyperliquid };
  expect(await errorOf(venue.gateway.keyInfo(account, { priority: 'interactive' }))).toMatchObject({
    code: 'venue_unavailable',
  });
  expect(venue.requests).toHaveLength(1);
});

test.each([
  ['POST', '/v5/order/create', onlyReads],
  ['POST', '/exchange', createHyperliquid().isAllowed],
  ['GET', '/info', createHyperliquid().isAllowed],
] as const)('%s %s is never sent', async (method, path, isAllowed) => {
  await using venue = await startLoopbackVenue(() => ({ body: {} }));
  const fetch = createVenueFetch(getGlobalDispatcher(), isAllowed);
  const { signal } = new AbortController();
  const sent = fetch(`${venue.url}${path}`, { method, headers: {}, signal });
  expect(await errorOf(sent)).toMatchObject({ code: 'unsupported' });
  expect(venue.requests).toHaveLength(0);
});

test('an answer cut in its middle is not requested again', async () => {
  await using venue = await setUp(() => 'cut');
  expect(await errorOf(venue.equity())).toMatchObject({ code: 'venue_unavailable' });
  expect(venue.requests).toHaveLength(1);
});

test('a refused connection means that the venue is unavailable', async () => {
  const gateway = createExchangeGateway(settingsAt('http://127.0.0.1:9'), { now: Date.now });
  const read = gateway.equity({ key: 'a', credentials: CREDENTIALS.okx }, { priority: 'interactive' });
  expect(await errorOf(read)).toMatchObject({ code: 'venue_unavailable' });
  await gateway.close();
});

test.each<[string, Reply, object]>([
  ['a page of a proxy', { body: '<html>hello</html>' }, { code: 'bad_response' }],
  ['half of a JSON', { body: '{"retCode":0,"result":{"li' }, { code: 'bad_response' }],
  ['nothing at all', { body: '' }, { code: 'bad_response' }],
  [
    'a number that is none',
    { body: { retCode: 0, result: { list: [{ totalEquity: 'NaN' }] } } },
    { code: 'bad_response' },
  ],
  ['a field that is missing', { body: { retCode: 0, result: { list: [{}] } } }, { code: 'bad_response' }],
  ['a page of maintenance', { status: 503, body: '<html>back soon</html>' }, { code: 'venue_unavailable' }],
  [
    'a bad gateway',
    { status: 502, body: 'Bad Gateway' },
    { code: 'venue_unavailable', venueCode: 'http502' },
  ],
  ['a gateway without answer', { status: 504, body: 'Gateway Timeout' }, { code: 'timeout' }],
  [
    'a redirect',
    { status: 302, headers: { location: 'http://127.0.0.1:9/stolen' }, body: '' },
    { code: 'bad_response' },
  ],
  [
    'too many requests',
    { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' },
    { code: 'rate_limited', retryAfterMs: 7_000 },
  ],
  ['a ban of ten minutes', { status: 403, body: 'denied' }, { code: 'rate_limited', retryAfterMs: 600_000 }],
])('%s', async (_name, reply, error) => {
  await using venue = await setUp(() => reply);
  expect(await errorOf(venue.equity())).toMatchObject(error);
  expect(venue.requests).toHaveLength(1);
});

test.each([
  ['as it comes', Buffer.alloc(9 * 1024 * 1024, 32), {}],
  ['packed', gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)), { 'content-encoding': 'gzip' }],
])('a body that never ends is left unread, %s', async (_name, body, headers) => {
  await using venue = await setUp(() => ({ body, headers }));
  expect(await errorOf(venue.equity())).toMatchObject({ code: 'bad_response' });
});

test('a call posts to the path that it declares, and to no other', async () => {
  await using venue = await startLoopbackVenue(() => ({ body: {} }));
  const fetch = createVenueFetch(getGlobalDispatcher(), onlyReads);
  const post = (path: string, posts: string | null) =>
    currentCall.run({ sent: 0, answer: null, posts }, () =>
      fetch(venue.url + path, { method: 'POST', headers: {}, signal: AbortSignal.timeout(1_000) }),
    );
  expect(await post('/v5/move', '/v5/move')).toMatchObject({ status: 200 });
  for (const [path, posts] of [
    ['/v5/withdraw', '/v5/move'],
    ['/v5/move/more', '/v5/move'],
    ['/v5/move', null],
  ] as const)
    expect(await errorOf(post(path, posts))).toMatchObject({ code: 'unsupported' });
  expect(venue.requests).toHaveLength(1);
});

test('a POST is not repeated when its connection was reset', async () => {
  await using venue = await startLoopbackVenue(() => 'reset');
  const gateway = createExchangeGateway(settingsAt(venue.url), { now: Date.now });
  const move = { transferId: '42c0cfb0-6bca-4242-bc76-4e6df6cbcb16', amountUnits: 1n };
  const moving = gateway.pools.moveToUnified({ key: 'a', credentials: CREDENTIALS.bybit }, move, {
    priority: 'interactive',
  });
  expect(await errorOf(moving)).toMatchObject({ code: 'venue_unavailable' });
  expect(venue.requests).toHaveLength(1);
  await gateway.close();
});

test('a key that does not fit in a header is refused without a request', async () => {
  await using venue = await setUp(() => ({ body: BALANCE }));
  const credentials = { ...CREDENTIALS.bybit, apiKey: 'ключ\n' };
  const read = venue.gateway.equity({ key: 'a', credentials }, { priority: 'interactive' });
  expect(await errorOf(read)).toMatchObject({ code: 'invalid_credentials' });
  expect(venue.requests).toHaveLength(0);
});

test('half a PEM file as secret is refused without a request', async () => {
  await using venue = await setUp(() => ({ body: BALANCE }));
  const credentials = { ...CREDENTIALS.bybit, secretKey: '-----BEGIN PRIVATE KEY-----\nAAAA' };
  const read = venue.gateway.equity({ key: 'a', credentials }, { priority: 'interactive' });
  expect(await errorOf(read)).toMatchObject({ code: 'invalid_credentials' });
  expect(venue.requests).toHaveLength(0);
});

test('requests go through the proxy', async () => {
  await using venue = await setUp(() => ({ body: BALANCE }));
  const seen: string[] = [];
  const proxy = createServer();
  proxy.on('connect', async (request, socket) => {
    seen.push(request.url ?? '');
    const { connect } = await import('node:net');
    const target = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const gateway = createExchangeGateway(settingsAt(venue.url, { proxyUrl }), { now: Date.now });
  const equity = await gateway.equity(
    { key: 'a', credentials: CREDENTIALS.bybit },
    { priority: 'interactive' },
  );
  expect(equity.equityUsd).toBe('1234.5');
  expect(new Set(seen)).toEqual(new Set([new URL(venue.url).host]));
  await gateway.close();
  proxy.close();
});
