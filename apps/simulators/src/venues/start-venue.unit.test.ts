import { request } from 'node:http';
import { EXCHANGES } from '@copydesk/domain/catalogue';
import { describe, expect, test } from 'vitest';
import { ask, hmac, keysOf, runVenue, spare } from './testing/running-venue.ts';

const KEY_INFO = '/v5/user/query-api';

async function runBybit() {
  const venue = await runVenue('bybit');
  const get = (name = 'plain', signal?: AbortSignal) => {
    const { apiKey, secretKey } = keysOf(spare('bybit', name));
    const timestamp = String(venue.clock.now());
    const headers = {
      'X-BAPI-API-KEY': apiKey,
      'X-BAPI-TIMESTAMP': timestamp,
      'X-BAPI-SIGN': hmac(secretKey, `${timestamp}${apiKey}5000`, 'hex'),
    };
    return ask(venue.url + KEY_INFO, { headers, signal });
  };
  return { ...venue, get };
}

describe('a fault', () => {
  test('latency delays the right answer', async () => {
    const { faults, get } = await runBybit();
    faults.set({ kind: 'latency', ms: 60 });
    const start = performance.now();
    expect((await get()).body.retCode).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  test('timeout never answers, and is not in the way of closing', async () => {
    const { faults, get, requests } = await runBybit();
    faults.set({ kind: 'timeout' });
    await expect(get('plain', AbortSignal.timeout(1_000))).rejects.toThrow(/timeout/);
    expect(requests.list()[0]).toMatchObject({ status: null });
  });

  test('cut ends the connection in the middle of the body', async () => {
    const { faults, get } = await runBybit();
    faults.set({ kind: 'cut' });
    await expect(get()).rejects.toThrow(/terminated/);
  });

  test('malformed is half of the JSON, or a page', async () => {
    const { faults, url } = await runBybit();
    faults.set({ kind: 'malformed', times: 1 });
    faults.set({ kind: 'malformed', body: 'html' });
    const half = await fetch(`${url}/v5/market/time`);
    await expect(half.json()).rejects.toThrow();
    expect((await ask(`${url}/v5/market/time`)).body).toMatch(/^<!DOCTYPE html>/);
  });

  const SAID = {
    bybit: {
      rate_limit: [429, 10006],
      server_error: [500, 10016],
      maintenance: [503, null],
      wrong_key: [200, 10003],
      ip_refused: [200, 10010],
      clock_skew: [200, 10002],
    },
    binance: {
      rate_limit: [429, -1003],
      server_error: [500, -1000],
      maintenance: [503, null],
      wrong_key: [401, -2015],
      ip_refused: [401, -2015],
      clock_skew: [400, -1021],
    },
    okx: {
      rate_limit: [429, '50011'],
      server_error: [500, '50026'],
      maintenance: [503, '50001'],
      wrong_key: [401, '50111'],
      ip_refused: [401, '50110'],
      clock_skew: [401, '50102'],
    },
    kucoin: {
      rate_limit: [429, '429000'],
      server_error: [500, '500000'],
      maintenance: [503, '503000'],
      wrong_key: [401, '400003'],
      ip_refused: [401, '400006'],
      clock_skew: [401, '400002'],
    },
    hyperliquid: {
      rate_limit: [429, null],
      server_error: [500, null],
      maintenance: [503, null],
      wrong_key: [200, null],
      ip_refused: [422, null],
      clock_skew: [422, null],
    },
  } as const;

  test.each(EXCHANGES)('of refusal uses the words of %s', async (exchange) => {
    const { faults, url } = await runVenue(exchange);
    for (const [kind, said] of Object.entries(SAID[exchange])) {
      faults.set({ kind: kind as keyof (typeof SAID)['bybit'], times: 1 });
      const { status, body, headers } = await ask(`${url}/info`, { method: 'POST', body: '{}' });
      expect([kind, status, body?.retCode ?? body?.code ?? null]).toEqual([kind, ...said]);
      if (kind === 'rate_limit') expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(faults.list()).toEqual([]);
  });

  test('is met by one path, one account, so many times', async () => {
    const { faults, get, url } = await runBybit();
    const { accUid } = spare('bybit', 'may_withdraw');
    faults.set({ kind: 'server_error', path: KEY_INFO, account: accUid, times: 2 });
    const codes = async () => [(await get()).body.retCode, (await get('may_withdraw')).body.retCode];
    expect(await codes()).toEqual([0, 10016]);
    expect((await ask(`${url}/v5/market/time`)).status).toBe(200);
    expect(await codes()).toEqual([0, 10016]);
    expect(await codes()).toEqual([0, 0]);
  });

  test('of hyperliquid may be for one type of question', async () => {
    const { faults, url } = await runVenue('hyperliquid');
    faults.set({ kind: 'server_error', path: 'allMids' });
    const post = (type: string) => ask(`${url}/info`, { method: 'POST', body: JSON.stringify({ type }) });
    expect([(await post('allMids')).status, (await post('meta')).status]).toEqual([500, 200]);
  });
});

test('faults are set over HTTP as well, and no other way than with JSON', async () => {
  const { url, faults } = await runBybit();
  const post = (body: string, type = 'application/json') =>
    ask(`${url}/__faults`, { method: 'POST', headers: { 'content-type': type }, body });
  expect((await post('{"kind":"maintenance","times":3}')).body.faults).toEqual([
    { kind: 'maintenance', times: 3 },
  ]);
  expect((await ask(`${url}/v5/market/time`)).status).toBe(503);
  expect((await ask(`${url}/__faults`)).body.faults).toEqual([{ kind: 'maintenance', times: 2 }]);
  for (const bad of ['{', '{}', '{"kind":"x"}', '{"kind":"cut","times":0}', '{"kind":"cut","path":1}'])
    expect((await post(bad)).status).toBe(400);
  expect((await post('{"kind":"cut"}', 'text/plain')).status).toBe(400);
  await ask(`${url}/__faults`, { method: 'DELETE' });
  expect(faults.list()).toEqual([]);
});

test('requests are counted and listed, without secrets', async () => {
  const { requests, get, url } = await runBybit();
  await get();
  await ask(`${url}/v5/market/time`);
  expect([requests.count(), requests.count(KEY_INFO)]).toEqual([2, 1]);
  const { accUid } = spare('bybit', 'plain');
  expect(requests.list()).toMatchObject([
    { method: 'GET', path: KEY_INFO, account: accUid, status: 200 },
    { method: 'GET', path: '/v5/market/time', account: null, status: 200 },
  ]);
  expect(JSON.stringify(requests.list())).not.toContain(keysOf(spare('bybit', 'plain')).apiKey);
  requests.reset();
  expect([requests.count(), requests.list()]).toEqual([0, []]);
});

test('a body that is too long is not read to its end', async () => {
  const { url } = await runVenue('hyperliquid');
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${url}/info`, { method: 'POST' }, (answer) => resolve(answer.statusCode));
    sent.on('error', reject);
    sent.end('x'.repeat(70_000));
  });
  expect(status).toBe(413);
});
