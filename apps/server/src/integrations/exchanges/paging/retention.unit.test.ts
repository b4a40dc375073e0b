import { expect, test } from 'vitest';
import { NOW, sessionOf } from '../../../../../../tests/support/exchanges/generated.ts';
import { binance } from '../binance/binance.ts';
import { createBybit } from '../bybit/bybit.ts';
import { bybitErrors } from '../bybit/bybit-errors.ts';
import { GatewayError } from '../gateway.ts';
import { createOkx } from '../okx/okx.ts';
import type { Session, Venue } from '../venue.ts';
import { writeCursor } from './cursor.ts';
import type { EarlyEnd } from './page-trail.ts';
import { DAY_MS } from './windows.ts';

/** The venue's clock goes before ours. */
const THEIR_NOW = NOW + 50_000;
const CLOSED_AT = NOW - 2 * DAY_MS;

async function readAll(
  venue: Venue,
  session: Session,
  sinceMs: number,
  from: string | null = null,
  coverages: number[] = [],
) {
  const ids: string[] = [];
  let cursor = from;
  let coverageFrom = 0;
  let pages = 0;
  do {
    if (++pages > 2_000) throw new Error('without end');
    const page = await venue.reader.closedPositions(session, { sinceMs, untilMs: NOW }, cursor);
    ids.push(...page.items.map(({ venueId }) => venueId));
    ({ nextCursor: cursor, coverageFrom } = page);
    coverages.push(coverageFrom);
  } while (cursor !== null);
  return { ids, coverageFrom };
}

/** Bybit, which remembers some days by its own clock and refuses anything older. */
const bybitWith = (days: number, ends: EarlyEnd[] = []) =>
  sessionOf(
    'bybit',
    (method, { category, startTime, endTime }) => {
      if (method.endsWith('QueryApi')) return { result: { uta: 1 } };
      if (Number(startTime) < THEIR_NOW - days * DAY_MS)
        throw new GatewayError('bad_response', { venueCode: '10001tooOld' });
      const isThere = category === 'linear' && CLOSED_AT >= Number(startTime) && CLOSED_AT <= Number(endTime);
      const row = {
        symbol: 'BTCUSDT',
        orderId: 'newer',
        side: 'Sell',
        closedSize: '1',
        avgEntryPrice: '1',
        avgExitPrice: '2',
        closedPnl: '1',
        updatedTime: String(CLOSED_AT),
      };
      return { result: { list: isThere ? [row] : [], nextPageCursor: '' } };
    },
    ends,
  );

const binanceWith = (days: number, ends: EarlyEnd[] = []) =>
  sessionOf(
    'binance',
    (method, { startTime, endTime }) => {
      if (Number(startTime) < THEIR_NOW - days * DAY_MS)
        throw new GatewayError('bad_response', { venueCode: '-4166' });
      const isThere = CLOSED_AT >= Number(startTime) && CLOSED_AT <= Number(endTime);
      const row = { symbol: 'BTCUSDT', asset: 'USDT', time: CLOSED_AT };
      if (method.endsWith('Income')) return isThere ? [row] : [];
      return [
        { ...row, orderId: 1, side: 'SELL', positionSide: 'BOTH', price: '9', qty: '1', realizedPnl: '1' },
      ];
    },
    ends,
  );

test.each([
  ['bybit', createBybit(), bybitWith, 730, 900, DAY_MS],
  ['binance', binance, binanceWith, 90, 120, 60_000],
] as const)(
  '%s is never asked for more than it remembers',
  async (_name, venue, open, days, askedDays, marginMs) => {
    const ends: EarlyEnd[] = [];
    const { ids, coverageFrom } = await readAll(venue, open(days, ends), NOW - askedDays * DAY_MS);
    expect(ids).toHaveLength(1);
    expect(coverageFrom).toBe(NOW - days * DAY_MS + marginMs);
    expect(ends).toEqual([]);
  },
);

test.each([
  ['bybit', createBybit(), bybitWith, 720, 900],
  ['binance', binance, binanceWith, 80, 120],
] as const)(
  '%s remembers less than it documents: the read moves on',
  async (_name, venue, open, days, asked) => {
    const ends: EarlyEnd[] = [];
    const pages: number[] = [];
    const since = NOW - asked * DAY_MS;
    expect((await readAll(venue, open(days, ends), since, null, pages)).ids).toHaveLength(1);
    expect(new Set(ends)).toEqual(new Set(['range_refused']));
    // The pages say that what was refused is not known.
    expect(Math.max(...pages)).toBeGreaterThanOrEqual(THEIR_NOW - days * DAY_MS);
  },
);

test.each([
  ['bybit', createBybit(), bybitWith(730), { category: 'linear', since: NOW - 900 * DAY_MS, page: 'p' }],
  ['binance', binance, binanceWith(90), { since: NOW - 120 * DAY_MS, symbols: ['ETHUSDT'] }],
] as const)(
  '%s: a place that fell behind its memory between two turns moves to its edge',
  async (_name, venue, session, place) => {
    const since = NOW - 1_000 * DAY_MS;
    expect((await readAll(venue, session, since, writeCursor(place))).ids).toHaveLength(1);
  },
);

test('a refusal at the edge that is about another parameter stays an error', async () => {
  const session = sessionOf('bybit', (method) => {
    if (method.endsWith('QueryApi')) return { result: { uta: 1 } };
    throw new GatewayError('bad_response', { venueCode: '10001' });
  });
  await expect(readAll(createBybit(), session, NOW - 900 * DAY_MS)).rejects.toThrow('bad_response');
});

test.each([
  ["Can't query order earlier than 2 years, please check your params: startTime or endTime!", '10001tooOld'],
  ['params error: limit too large', '10001'],
])('bybit says with its text alone that a range is too old: %s', (retMsg, code) => {
  expect(bybitErrors.codeOf({ retCode: 10001, retMsg })).toBe(code);
});

test('a refusal far from the edge stays an error: it is about something else', async () => {
  const session = sessionOf('bybit', (method) => {
    if (method.endsWith('QueryApi')) return { result: { uta: 1 } };
    throw new GatewayError('bad_response', { venueCode: '10001' });
  });
  await expect(readAll(createBybit(), session, NOW - 3 * DAY_MS)).rejects.toThrow('bad_response');
});

test('okx keeps about three months: what it still lists is taken, and the rest is unknown', async () => {
  const row = {
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    type: '2',
    posId: '1',
    direction: 'long',
    realizedPnl: '1',
    uTime: String(NOW - 91 * DAY_MS),
  };
  const session = sessionOf('okx', () => ({ data: [row] }));
  const { ids, coverageFrom } = await readAll(createOkx(), session, NOW - 200 * DAY_MS);
  expect(ids).toHaveLength(1);
  expect(coverageFrom).toBe(NOW - 89 * DAY_MS + 60_000);
});
