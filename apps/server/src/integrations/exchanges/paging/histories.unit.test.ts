import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOW, sessionOf } from '../../../../../../tests/support/exchanges/generated.ts';
import { readBinanceHistory } from '../binance/binance-history.ts';
import { readBybitHistory } from '../bybit/bybit-history.ts';
import type { ClosedPositionsPage } from '../gateway.ts';
import { readHyperliquidHistory } from '../hyperliquid/hyperliquid-history.ts';
import { createOkxContracts } from '../okx/okx-contracts.ts';
import { readOkxHistory } from '../okx/okx-history.ts';
import { DAY_MS, type TimeRange } from './windows.ts';

type Params = Record<string, unknown>;

async function readAll(read: (cursor: string | null) => Promise<ClosedPositionsPage>) {
  const pages: ClosedPositionsPage[] = [];
  let cursor: string | null = null;
  do {
    const page = await read(cursor);
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

const idsOf = (pages: ClosedPositionsPage[]) =>
  pages.flatMap(({ items }) => items.map(({ venueId }) => venueId));

const range = fc
  .record({
    since: fc.integer({ min: NOW - 100 * DAY_MS, max: NOW }),
    length: fc.integer({ min: -10, max: 60 * DAY_MS }),
  })
  .map(({ since, length }): TimeRange => ({ sinceMs: since, untilMs: since + length }));

test('bybit is read once for every instant and kind of contract, 7 days at most at a time', async () => {
  await fc.assert(
    fc.asyncProperty(range, async (asked) => {
      const windows: Params[] = [];
      const session = sessionOf('bybit', (_method, params) => {
        windows.push(params);
        return { result: { list: [], nextPageCursor: '' } };
      });
      await readAll((cursor) => readBybitHistory(session, asked, cursor));
      for (const category of ['linear', 'inverse']) {
        let expected = asked.sinceMs;
        for (const { startTime, endTime } of windows.filter((one) => one.category === category)) {
          expect(startTime).toBe(expected);
          expect(Number(endTime) - Number(startTime)).toBeLessThan(7 * DAY_MS);
          expected = Number(endTime) + 1;
        }
        expect(expected).toBe(Math.max(asked.sinceMs, asked.untilMs + 1));
      }
    }),
    { numRuns: 50 },
  );
});

test('bybit pages inside a window are all read, and nothing older than its history is requested', async () => {
  const calls: Params[] = [];
  const session = sessionOf('bybit', (_method, params) => {
    calls.push(params);
    const page = Number(params.cursor ?? 0);
    const row = {
      symbol: 'BTCUSDT',
      orderId: `o${params.startTime}-${page}`,
      side: 'Sell',
      closedSize: '1',
      avgEntryPrice: '1',
      avgExitPrice: '2',
      closedPnl: '1',
      leverage: '1',
      updatedTime: '1700000000000',
    };
    const isLinear = params.category === 'linear';
    return {
      result: {
        list: isLinear && page < 3 ? [row] : [],
        nextPageCursor: isLinear && page < 3 ? String(page + 1) : '',
      },
    };
  });
  const pages = await readAll((cursor) =>
    readBybitHistory(session, { sinceMs: 0, untilMs: NOW - 725 * DAY_MS }, cursor),
  );
  expect(idsOf(pages)).toHaveLength(3);
  expect(new Set(idsOf(pages)).size).toBe(3);
  expect(Math.min(...calls.map(({ startTime }) => Number(startTime)))).toBe(NOW - 729 * DAY_MS);
  expect(pages[0]?.coverageFrom).toBe(NOW - 729 * DAY_MS);
});

/** Rows at random times of 60 days, some at the same ms. */
const times = (min: number, max: number) =>
  fc
    .array(fc.integer({ min: NOW - 60 * DAY_MS, max: NOW }), { minLength: min, maxLength: max })
    .map((list) =>
      list.map((time, nth) => (nth % 3 === 0 ? (list[nth + 1] ?? time) : time)).sort((a, b) => a - b),
    );

test('binance: every fill of every symbol is found once', async () => {
  await fc.assert(
    fc.asyncProperty(times(0, 2_600), async (list) => {
      const fills = list.map((time, nth) => ({
        symbol: nth % 5 === 0 ? 'ETHUSDT' : 'BTCUSDT',
        orderId: 1_000 + nth,
        side: 'SELL',
        positionSide: 'BOTH',
        price: '10',
        qty: '1',
        realizedPnl: '1',
        time,
      }));
      let trades = 0;
      const session = sessionOf('binance', (method, { symbol, startTime, endTime, limit }) => {
        expect(Number(endTime) - Number(startTime)).toBeLessThan(7 * DAY_MS);
        if (method.endsWith('UserTrades')) trades += 1;
        return fills
          .filter(({ time }) => time >= Number(startTime) && time <= Number(endTime))
          .filter((fill) => symbol === undefined || fill.symbol === symbol)
          .slice(0, Number(limit));
      });
      const pages = await readAll((cursor) =>
        readBinanceHistory(session, { sinceMs: NOW - 200 * DAY_MS, untilMs: NOW }, cursor),
      );
      expect(idsOf(pages).sort()).toEqual(
        fills.map(({ symbol, orderId, time }) => `${symbol}:${orderId}:${time}`).sort(),
      );
      expect(trades).toBeLessThan(40);
      expect(pages[0]?.coverageFrom).toBe(NOW - 90 * DAY_MS + 60_000);
    }),
    { numRuns: 15 },
  );
});

test('hyperliquid: every closing fill is found once, and 10,000 fills are the end of its memory', async () => {
  await fc.assert(
    fc.asyncProperty(times(0, 6_500), async (list) => {
      const fills = list.map((time, nth) => ({
        coin: 'ETH',
        px: '10',
        sz: '1',
        side: nth % 4 === 0 ? 'B' : 'A',
        time,
        startPosition: '1',
        dir: nth % 4 === 0 ? 'Open Long' : 'Close Long',
        closedPnl: '1',
        tid: nth + 1,
      }));
      const session = sessionOf('hyperliquid', (_method, { startTime, endTime }) =>
        fills.filter(({ time }) => time >= Number(startTime) && time <= Number(endTime)).slice(0, 2_000),
      );
      const pages = await readAll((cursor) =>
        readHyperliquidHistory(session, { sinceMs: NOW - 90 * DAY_MS, untilMs: NOW }, cursor),
      );
      const closing = fills.filter(({ dir }) => dir === 'Close Long').map(({ tid }) => String(tid));
      expect(idsOf(pages).sort()).toEqual(closing.sort());
      expect(pages.at(-1)?.coverageFrom).toBe(0);
    }),
    { numRuns: 15 },
  );
});

test('hyperliquid: with the maximum of fills, the history before the first is unknown', async () => {
  const fills = Array.from({ length: 10_000 }, (_, nth) => ({
    coin: 'ETH',
    px: '10',
    sz: '1',
    side: 'A',
    time: NOW - 10_000 + nth,
    startPosition: '1',
    dir: 'Close Long',
    closedPnl: '1',
    tid: nth + 1,
  }));
  const session = sessionOf('hyperliquid', (_method, { startTime, endTime }) =>
    fills.filter(({ time }) => time >= Number(startTime) && time <= Number(endTime)).slice(0, 2_000),
  );
  const pages = await readAll((cursor) =>
    readHyperliquidHistory(session, { sinceMs: 1, untilMs: NOW }, cursor),
  );
  expect(new Set(idsOf(pages)).size).toBe(10_000);
  expect(pages.at(-1)?.coverageFrom).toBe(NOW - 10_000);
});

test('okx: every closed position is found once, whether the venue cuts a ms in two or not', async () => {
  await fc.assert(
    fc.asyncProperty(times(0, 450), fc.boolean(), async (list, keepsMsTogether) => {
      const rows = list.map((uTime, nth) => ({
        instId: 'BTC-USDT-SWAP',
        instType: 'SWAP',
        type: nth % 7 === 0 ? '1' : '2',
        posId: String(nth + 1),
        direction: 'long',
        openAvgPx: '1',
        closeAvgPx: '2',
        closeTotalPos: '1',
        realizedPnl: '1',
        lever: '1',
        cTime: '1',
        uTime: String(uTime),
      }));
      const session = sessionOf('okx', (method, { after, limit }) => {
        if (method.startsWith('public')) return { data: [] };
        const older = rows.filter(({ uTime }) => Number(uTime) < Number(after)).reverse();
        const last = older[Number(limit) - 1]?.uTime;
        return {
          data: older.filter(({ uTime }, nth) => nth < Number(limit) || (keepsMsTogether && uTime === last)),
        };
      });
      const asked = { sinceMs: NOW - 50 * DAY_MS, untilMs: NOW - DAY_MS };
      const contracts = createOkxContracts();
      const pages = await readAll((cursor) => readOkxHistory(session, contracts, asked, cursor));
      const wanted = rows.filter(
        ({ type, uTime }) => type === '2' && Number(uTime) >= asked.sinceMs && Number(uTime) <= asked.untilMs,
      );
      expect(idsOf(pages).sort()).toEqual(wanted.map(({ posId, uTime }) => `${posId}:${uTime}`).sort());
    }),
    { numRuns: 30 },
  );
});
