import { inspect } from 'node:util';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExchangeProblem } from '@copydesk/domain/trading';
import { expect, test } from 'vitest';
import {
  AGENT_KEY,
  CANARY,
  CREDENTIALS,
  type Reply,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../../tests/support/exchanges/loopback-venue.ts';
import { createExchangeGateway } from '../create-gateway.ts';
import type { GatewayError } from '../gateway.ts';

const ECHO = `error sign! origin_string[1700000000000${CANARY}key5000accountType=UNIFIED] ${AGENT_KEY}`;
const bybit = (retCode: number, status = 200): Reply => ({
  status,
  body: { retCode, retMsg: ECHO, result: {} },
});
const binance = (code: number, status = 400): Reply => ({ status, body: { code, msg: ECHO } });
const okx = (code: string, status = 401): Reply => ({ status, body: { code, msg: ECHO, data: [] } });
const kucoin = (code: string, status = 401, headers = {}): Reply => ({
  status,
  headers,
  body: { code, msg: ECHO },
});

const CASES: [Exchange, Reply, ExchangeProblem, Partial<GatewayError>][] = [
  ['bybit', bybit(10003), 'invalid_credentials', { venueCode: '10003' }],
  ['bybit', bybit(10004), 'invalid_credentials', {}],
  ['bybit', bybit(33004), 'invalid_credentials', {}],
  ['bybit', bybit(10010), 'ip_not_allowed', {}],
  ['bybit', bybit(10005), 'insufficient_permission', {}],
  ['bybit', bybit(10002), 'clock_skew', {}],
  ['bybit', bybit(10006), 'rate_limited', { retryAfterMs: 1_000 }],
  ['bybit', bybit(10018), 'rate_limited', {}],
  ['bybit', bybit(10016), 'venue_unavailable', {}],
  ['bybit', bybit(10028), 'classic_account', {}],
  ['bybit', bybit(131003), 'venue_unavailable', { venueCode: '131003' }],
  ['bybit', bybit(131202), 'unsupported', {}],
  ['bybit', bybit(131002), 'bad_response', {}],
  ['bybit', bybit(987654), 'bad_response', { venueCode: '987654' }],
  ['binance', binance(-2015, 401), 'credentials_or_ip', { venueCode: '-2015' }],
  ['binance', binance(-2014, 401), 'invalid_credentials', {}],
  ['binance', binance(-1022), 'invalid_credentials', {}],
  ['binance', binance(-1021), 'clock_skew', {}],
  ['binance', binance(-1002, 401), 'insufficient_permission', {}],
  ['binance', binance(-1003, 429), 'rate_limited', { retryAfterMs: 60_000 }],
  [
    'binance',
    { status: 418, headers: { 'retry-after': '300' }, body: ECHO },
    'rate_limited',
    { retryAfterMs: 300_000 },
  ],
  ['binance', { status: 403, body: ECHO }, 'rate_limited', { venueCode: 'http403' }],
  ['binance', binance(-1007, 408), 'timeout', {}],
  ['binance', binance(-1001, 500), 'venue_unavailable', {}],
  ['okx', okx('50111'), 'invalid_credentials', {}],
  ['okx', okx('50105'), 'invalid_credentials', {}],
  ['okx', okx('50113'), 'invalid_credentials', {}],
  ['okx', okx('50119'), 'invalid_credentials', {}],
  ['okx', okx('50110'), 'ip_not_allowed', {}],
  ['okx', okx('50102'), 'clock_skew', {}],
  ['okx', okx('50120'), 'insufficient_permission', {}],
  ['okx', okx('50011', 429), 'rate_limited', { retryAfterMs: 2_000 }],
  ['okx', okx('50001', 503), 'venue_unavailable', {}],
  ['okx', okx('50004'), 'timeout', {}],
  ['kucoin', kucoin('400003'), 'invalid_credentials', {}],
  ['kucoin', kucoin('400004'), 'invalid_credentials', {}],
  ['kucoin', kucoin('400005'), 'invalid_credentials', {}],
  ['kucoin', kucoin('400006'), 'ip_not_allowed', {}],
  ['kucoin', kucoin('400007'), 'insufficient_permission', {}],
  ['kucoin', kucoin('400002'), 'clock_skew', {}],
  [
    'kucoin',
    kucoin('429000', 429, { 'gw-ratelimit-reset': '2345' }),
    'rate_limited',
    { retryAfterMs: 2_345 },
  ],
  ['kucoin', kucoin('500000', 500), 'venue_unavailable', {}],
  ['kucoin', kucoin('404000', 404), 'unsupported', {}],
  ['hyperliquid', { status: 429, body: 'null' }, 'rate_limited', { retryAfterMs: 10_000 }],
  ['hyperliquid', { status: 422, body: ECHO }, 'bad_response', { venueCode: 'http422' }],
  ['hyperliquid', { status: 500, body: 'null' }, 'venue_unavailable', {}],
];

test.each(CASES)('%s %j is %s', async (exchange, reply, code, details) => {
  await using venue = await startLoopbackVenue(() => reply);
  const gateway = createExchangeGateway(settingsAt(venue.url), { now: Date.now });
  const account = { key: 'a', credentials: CREDENTIALS[exchange] };
  const error = await gateway.equity(account, { priority: 'interactive' }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code, ...details });
  // It contains neither the venue's text nor our secrets.
  const told = [
    inspect(error, { depth: 9, showHidden: true }),
    JSON.stringify(error),
    String(error),
    error.stack,
  ];
  for (const text of told) expect(text).not.toMatch(/canary|origin_string|0{20}/);
  expect(error.cause).toBeUndefined();
  await gateway.close();
});
