import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExchangeProblem } from '@copydesk/domain/trading';
import { expect, test } from 'vitest';
import { binanceErrors } from '../binance/binance.ts';
import { bybitErrors } from '../bybit/bybit-errors.ts';
import { loadCcxtClass } from '../ccxt/load-ccxt.ts';
import { GatewayError } from '../gateway.ts';
import { hyperliquidErrors } from '../hyperliquid/hyperliquid.ts';
import { kucoinErrors } from '../kucoin/kucoin-errors.ts';
import { createNotices, type VenueNotice } from '../notices.ts';
import { okxErrors } from '../okx/okx-errors.ts';
import { describeFailure, listCcxtCodes } from './describe-failure.ts';
import type { VenueErrors } from './venue-errors.ts';

const ERRORS: Record<Exchange, { errors: VenueErrors; field: string }> = {
  bybit: { errors: bybitErrors, field: 'retCode' },
  binance: { errors: binanceErrors, field: 'code' },
  okx: { errors: okxErrors, field: 'code' },
  kucoin: { errors: kucoinErrors, field: 'code' },
  hyperliquid: { errors: hyperliquidErrors, field: 'code' },
};

async function listed(exchange: Exchange) {
  const Venue = await loadCcxtClass(exchange);
  return listCcxtCodes(new Venue({}).exceptions);
}

/** What becomes of an answer with a code, whatever ccxt throws for it. */
function describe(exchange: Exchange, code: string, known: Awaited<ReturnType<typeof listed>>) {
  const { errors, field } = ERRORS[exchange];
  const answer = { status: 200, headers: {}, body: JSON.stringify({ [field]: code }) };
  return describeFailure(
    new Error('something'),
    { sent: 1, answer, posts: null },
    { venue: errors, problemInLists: (asked) => known.get(asked) ?? null, nowMs: 0 },
  );
}

test.each(Object.keys(ERRORS) as Exchange[])(
  'each code in the lists of %s has a kind, and no other has',
  async (exchange) => {
    const known = await listed(exchange);
    const { codes } = ERRORS[exchange].errors;
    for (const code of new Set([...known.keys(), ...Object.keys(codes)])) {
      const { error, unknownCode } = describe(exchange, code, known);
      expect([code, unknownCode]).toEqual([code, null]);
      expect(error).toBeInstanceOf(GatewayError);
      expect([code, error.code]).toEqual([code, codes[code] ?? known.get(code)]);
    }
    for (const code of ['987654', 'constructor', '__proto__']) {
      const { error, unknownCode } = describe(exchange, code, known);
      expect(error.code).toBe('bad_response');
      if (exchange !== 'hyperliquid')
        expect(unknownCode).toBe(code === '987654' || code === 'constructor' ? code : 'unprintable');
    }
  },
);

test('no code about keys, addresses, limits, clocks or outages is taken for a strange answer', async () => {
  const ABOUT: ExchangeProblem[] = [
    'invalid_credentials',
    'ip_not_allowed',
    'insufficient_permission',
    'invalid_account',
    'rate_limited',
    'clock_skew',
    'timeout',
    'venue_unavailable',
  ];
  for (const exchange of Object.keys(ERRORS) as Exchange[]) {
    const { codes } = ERRORS[exchange].errors;
    const known = await listed(exchange);
    for (const [code, problem] of known)
      if (ABOUT.includes(problem))
        expect([exchange, code, codes[code]]).not.toEqual([exchange, code, 'bad_response']);
  }
});

test.each([
  ['bybit', '429', 'rate_limited'],
  ['bybit', '-1', 'clock_skew'],
  ['bybit', '10008', 'invalid_credentials'],
  ['binance', '-2017', 'key_locked'],
  ['binance', '-1109', 'invalid_account'],
  ['binance', '-1000', 'venue_unavailable'],
  ['okx', '50007', 'invalid_account'],
  ['okx', '50027', 'insufficient_permission'],
  ['okx', '51010', 'invalid_account'],
  ['kucoin', '411100', 'invalid_account'],
  ['kucoin', '429', 'rate_limited'],
  ['kucoin', '400500', 'unsupported'],
] as const)('%s %s is %s', async (exchange, code, problem) => {
  expect(describe(exchange, code, await listed(exchange)).error.code).toBe(problem);
});

test('odd answers are counted by name up to a limit, and passed on once an hour', () => {
  let nowMs = 1;
  const passed: VenueNotice[] = [];
  const { counts, note } = createNotices(
    () => nowMs,
    (notice) => passed.push(notice),
  );
  const unknown = (why: string): VenueNotice => ({ exchange: 'okx', call: 'x', kind: 'unknown_code', why });
  for (let nth = 0; nth < 3; nth += 1) note(unknown('5'));
  expect(passed).toHaveLength(1);
  nowMs += 3_600_001;
  note(unknown('5'));
  expect(passed).toHaveLength(2);
  for (let nth = 0; nth < 5_000; nth += 1) note(unknown(String(1_000 + nth)));
  expect(Object.keys(counts.codes).length).toBeLessThanOrEqual(41);
  expect(counts.codes).toMatchObject({ 5: 4, other: 5_000 - 39 });
  expect(counts.lists).toEqual({});
});
