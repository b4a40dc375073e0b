import type { Exchange } from '@copydesk/domain/catalogue';
import { expect, test } from 'vitest';
import { createHandMovedClock } from '../../../../../tests/support/exchanges/hand-moved-clock.ts';
import {
  CREDENTIALS,
  type Reply,
  type SentRequest,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../tests/support/exchanges/loopback-venue.ts';
import { BYBIT_REGIONS } from './bybit/bybit-endpoints.ts';
import { createExchangeGateway } from './create-gateway.ts';
import type { GatewayError } from './gateway.ts';
import { OKX_REGIONS } from './okx/okx-endpoints.ts';
import { findRegion, settingsOfRegion } from './regions.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

interface Case {
  exchange: 'okx' | 'bybit';
  region: string;
  other: string;
  /** The platform's answer to a key that it does not know. */
  unknown: Reply;
  /** Its answer to a key from an address that is not on the list. */
  refused: Reply;
  known: (request: SentRequest) => Reply;
}

const CASES: Case[] = [
  {
    exchange: 'okx',
    region: 'eea',
    other: 'us',
    unknown: { status: 401, body: { code: '50119', msg: "API key doesn't exist", data: [] } },
    refused: { status: 401, body: { code: '50110', msg: 'IP', data: [] } },
    known: ({ path }) => ({
      body: path.endsWith('config')
        ? { code: '0', data: [{ uid: '7', mainUid: '7', ip: '', perm: 'read_only' }] }
        : { code: '0', data: [{ totalEq: '321' }] },
    }),
  },
  {
    exchange: 'bybit',
    region: 'kz',
    other: 'eu',
    unknown: { body: { retCode: 10003, retMsg: 'API key is invalid.' } },
    refused: { body: { retCode: 10010, retMsg: 'IP' } },
    known: ({ path }) => ({
      body: path.endsWith('query-api')
        ? { retCode: 0, result: { userID: 7, isMaster: true, permissions: { Wallet: [] } } }
        : { retCode: 0, result: { list: [{ totalEquity: '321', accountType: 'UNIFIED' }] } },
    }),
  },
];

/** A main platform that does not know the key, and two regional ones. */
async function setUp(
  one: Case,
  answers: { region: (request: SentRequest) => Reply; other: (request: SentRequest) => Reply },
) {
  const main = await startLoopbackVenue(() => one.unknown);
  const region = await startLoopbackVenue(answers.region);
  const other = await startLoopbackVenue(answers.other);
  const clock = createHandMovedClock(Date.now());
  const regionUrls = { [one.region]: region.url, [one.other]: other.url };
  const gateway = createExchangeGateway(settingsAt(main.url, { regionUrls, timeoutMs: 1_000 }), {
    now: clock.now,
    clock,
  });
  return {
    main,
    region,
    other,
    clock,
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      for (const venue of [main, region, other]) await venue[Symbol.asyncDispose]();
    },
  };
}

const errorOf = (read: Promise<unknown>): Promise<GatewayError> =>
  read.then(
    () => Promise.reject(new Error('no error')),
    (error) => error,
  );

for (const one of CASES) {
  const credentials = CREDENTIALS[one.exchange];

  test(`${one.exchange}: a key of a regional platform is found there, and read there from then on`, async () => {
    await using venues = await setUp(one, { region: one.known, other: () => one.unknown });
    expect(await venues.gateway.verify(credentials, INTERACTIVE)).toMatchObject({
      accUid: '7',
      region: one.region,
      equityUsd: '321',
    });
    const asked = venues.main.requests.length;
    const account = { key: 'a', credentials, region: one.region };
    expect(await venues.gateway.equity(account, INTERACTIVE)).toMatchObject({ equityUsd: '321' });
    expect(venues.main.requests).toHaveLength(asked);
    // The same account without its region is another question, not a cached answer.
    const elsewhere = venues.gateway.equity({ key: 'a', credentials }, INTERACTIVE);
    await expect(elsewhere).rejects.toThrow('invalid_credentials');
    expect((await venues.gateway.usage())[one.exchange]?.requests).toBeGreaterThan(asked);
  });

  test(`${one.exchange}: a key that no platform knows is a wrong key`, async () => {
    await using venues = await setUp(one, { region: () => one.unknown, other: () => one.unknown });
    expect(await errorOf(venues.gateway.verify(credentials, INTERACTIVE))).toMatchObject({
      code: 'invalid_credentials',
    });
    expect(venues.region.requests.length + venues.other.requests.length).toBe(2);
  });

  test(`${one.exchange}: a regional platform that knows the key and refuses our address says so`, async () => {
    await using venues = await setUp(one, { region: () => one.refused, other: () => one.unknown });
    expect(await errorOf(venues.gateway.verify(credentials, INTERACTIVE))).toMatchObject({
      code: 'ip_not_allowed',
    });
  });

  test(`${one.exchange}: a region that is down or silent does not hide the refusal`, async () => {
    await using venues = await setUp(one, { region: () => 'hang', other: () => ({ status: 503, body: '' }) });
    const refused = errorOf(venues.gateway.verify(credentials, INTERACTIVE));
    expect(await refused).toMatchObject({ code: 'invalid_credentials' });
  });

  test(`${one.exchange}: a key that the main platform refuses otherwise is tried nowhere else`, async () => {
    const elsewhere = { region: one.known, other: one.known };
    await using venues = await setUp({ ...one, unknown: one.refused }, elsewhere);
    await expect(venues.gateway.verify(credentials, INTERACTIVE)).rejects.toThrow('ip_not_allowed');
    expect(venues.region.requests).toEqual([]);
    expect(venues.other.requests).toEqual([]);
  });
}

test.each([
  ['okx', 'evil.example'],
  ['okx', 'kz'],
  ['okx', 'constructor'],
  ['bybit', 'eea'],
  ['binance', 'eu'],
] as const)('%s has no region %s: no key is sent anywhere', async (exchange: Exchange, region) => {
  await using venue = await startLoopbackVenue(() => ({ body: {} }));
  const gateway = createExchangeGateway(settingsAt(venue.url), { now: Date.now });
  const account = { key: 'a', credentials: CREDENTIALS[exchange], region };
  await expect(gateway.equity(account, INTERACTIVE)).rejects.toThrow('unsupported');
  await expect(gateway.keyInfo(account, INTERACTIVE)).rejects.toThrow('unsupported');
  expect(venue.requests).toEqual([]);
  await gateway.close();
});

test('every regional host is one of the venue', () => {
  for (const host of Object.values(OKX_REGIONS.hosts)) expect(host).toMatch(/^[a-z]+\.okx\.com$/);
  for (const host of Object.values(BYBIT_REGIONS.hosts))
    expect(host).toMatch(/^api\.bybit(-tr|georgia)?\.[a-z]+$/);
});

test('without other addresses a region is read at its own host over TLS, and in a demo world at the simulator', () => {
  const settings = { timeoutMs: 1, budgetShare: 1 };
  const eea = findRegion(OKX_REGIONS, 'eea');
  expect(settingsOfRegion(settings, eea).baseUrl).toBe('https://eea.okx.com');
  const demo = { ...settings, baseUrl: 'http://127.0.0.1:4003' };
  expect(settingsOfRegion(demo, eea).baseUrl).toBe('http://127.0.0.1:4003');
});
