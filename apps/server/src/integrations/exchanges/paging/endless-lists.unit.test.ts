import { expect, test } from 'vitest';
import { NOW, sessionOf } from '../../../../../../tests/support/exchanges/generated.ts';
import { binance } from '../binance/binance.ts';
import { createBybit } from '../bybit/bybit.ts';
import { listBybitDeposits } from '../bybit/pool/pool-deposits.ts';
import { countBybitOrders, listBybitHoldings } from '../bybit/pool/pool-holdings.ts';
import { sumBybitLog } from '../bybit/pool/pool-log.ts';
import { listBybitWithdrawals } from '../bybit/pool/pool-withdrawals.ts';
import { createHyperliquid } from '../hyperliquid/hyperliquid.ts';
import { createKucoin } from '../kucoin/kucoin.ts';
import { createOkx } from '../okx/okx.ts';
import type { Session, Venue } from '../venue.ts';
import { type EarlyEnd, followPages, nextInTime } from './page-trail.ts';
import { DAY_MS } from './windows.ts';

const SPAN = { sinceMs: NOW - DAY_MS, untilMs: NOW };
type Params = Record<string, unknown>;

/** Reads a closed history as a worker does, and gives up after far more pages than any of these lists has. */
async function history(venue: Venue, session: Session): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    if (++pages > 200) throw new Error('without end');
    const page = await venue.reader.closedPositions(session, SPAN, cursor);
    ids.push(...page.items.map(({ venueId }) => venueId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

const closedRow = (id: string) => ({
  symbol: 'BTCUSDT',
  orderId: id,
  side: 'Sell',
  closedSize: '1',
  avgEntryPrice: '1',
  avgExitPrice: '2',
  closedPnl: '1',
  leverage: '1',
  updatedTime: String(NOW - 1_000),
});
const positionRow = (id: string) => ({
  symbol: `${id.toUpperCase()}USDT`,
  side: 'Buy',
  size: '1',
  avgPrice: '1',
  markPrice: '1',
  leverage: '1',
  liqPrice: '',
  unrealisedPnl: '0',
});
const depositRow = (id: string) => ({
  id,
  coin: 'USDT',
  chain: 'BSC',
  amount: '1',
  txID: id,
  status: 3,
  toAddress: '0x',
  depositType: '0',
});
const withdrawalRow = (id: string) => ({
  withdrawId: id,
  coin: 'USDT',
  chain: 'BSC',
  txID: '',
  amount: '1',
  withdrawFee: '0',
  toAddress: '0x',
  status: 'success',
  createTime: String(NOW),
  updateTime: String(NOW),
  withdrawType: 0,
});
const logRow = (id: string) => ({ id, currency: 'USDT', type: 'TRADE', change: '1' });
const MASTER = { result: { userID: 1, isMaster: true, readOnly: 1, permissions: {} } };

/** Every list that names its next page by a cursor: the rows of its pages, and what a read makes of them. */
const BY_CURSOR: Record<
  string,
  {
    row: (id: string) => object;
    key: 'list' | 'rows';
    method: string;
    category?: string;
    read: (session: Session) => Promise<string[]>;
    isWhole?: boolean;
  }
> = {
  'bybit closed positions': {
    row: closedRow,
    key: 'list',
    method: 'privateGetV5PositionClosedPnl',
    category: 'linear',
    read: async (session) => (await history(createBybit(), session)).map((id) => id.replace(/:.*/, '')),
  },
  'bybit positions': {
    row: positionRow,
    key: 'list',
    method: 'privateGetV5PositionList',
    category: 'inverse',
    read: async (session) =>
      (await createBybit().reader.openPositions(session)).map(({ venueSymbol }) =>
        venueSymbol.replace('USDT', '').toLowerCase(),
      ),
  },
  'positions of a pool': {
    row: positionRow,
    key: 'list',
    method: 'privateGetV5PositionList',
    category: 'inverse',
    read: async (session) =>
      (await listBybitHoldings(session)).map(({ venueSymbol }) =>
        venueSymbol.replace('USDT', '').toLowerCase(),
      ),
  },
  'orders of a pool': {
    row: (orderId) => ({ orderId }),
    key: 'list',
    method: 'privateGetV5OrderRealtime',
    category: 'inverse',
    read: async (session) => Array(await countBybitOrders(session)).fill('counted'),
  },
  'deposits of a pool': {
    row: depositRow,
    key: 'rows',
    method: 'privateGetV5AssetDepositQueryRecord',
    read: async (session) => (await listBybitDeposits(session, SPAN)).map(({ id }) => id),
  },
  'withdrawals of a pool': {
    row: withdrawalRow,
    key: 'rows',
    method: 'privateGetV5AssetWithdrawQueryRecord',
    read: async (session) => (await listBybitWithdrawals(session, SPAN)).map(({ id }) => id),
  },
  'transaction log of a pool': {
    row: logRow,
    key: 'list',
    method: 'privateGetV5AccountTransactionLog',
    read: async (session) => {
      const { byType } = await sumBybitLog(session, SPAN);
      return Array(Number((byType.TRADE ?? 0n) / 10n ** 18n)).fill('counted');
    },
    isWhole: true,
  },
};

/** What a venue may do with its cursor; each has the rows of its pages, in the order of requests. */
const TRICKS: Record<string, { next: (cursor: string | undefined, asked: number) => string; end: EarlyEnd }> =
  {
    'a page that names itself': { next: () => 'same', end: 'cursor_repeated' },
    'a circle of two': { next: (cursor) => (cursor === 'one' ? 'two' : 'one'), end: 'cursor_repeated' },
    'a new name for the same page': { next: (_cursor, asked) => `name${asked}`, end: 'page_repeated' },
  };
/** The page behind a cursor. */
const PAGE: Record<string, string[]> = { '': ['a', 'b'], same: ['c'], one: ['c'], two: ['d'] };

for (const [list, { row, key, method, category, read, isWhole }] of Object.entries(BY_CURSOR))
  for (const [trick, { next, end }] of Object.entries(TRICKS))
    test(`${list}: ${trick} ends, and no row is listed twice`, async () => {
      const ends: EarlyEnd[] = [];
      let asked = 0;
      const session = sessionOf(
        'bybit',
        (called, params: Params) => {
          if (called.endsWith('QueryApi')) return MASTER;
          const isOurs = called === method && (category === undefined || params.category === category);
          if (!isOurs) return { result: { list: [], rows: [], nextPageCursor: '' } };
          asked += 1;
          const cursor = params.cursor as string | undefined;
          const ids = PAGE[cursor ?? ''] ?? ['c'];
          return { result: { [key]: ids.map(row), nextPageCursor: next(cursor, asked) } };
        },
        ends,
      );
      const reading = read(session);
      if (isWhole && trick !== 'a page that names itself')
        await expect(reading).rejects.toThrow('bad_response');
      else {
        const ids = await reading;
        const wanted = trick === 'a circle of two' ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'c'];
        if (ids.includes('counted')) expect(ids).toHaveLength(wanted.length);
        else expect([...ids].sort()).toEqual(wanted);
      }
      expect(asked).toBeLessThanOrEqual(4);
      expect(ends).toContain(end);
    });

test('an empty page that names a next one is the end, and its sign', async () => {
  const ends: EarlyEnd[] = [];
  const session = sessionOf('bybit', () => ({ result: { list: [], nextPageCursor: 'more' } }), ends);
  expect(await createBybit().reader.openPositions(session)).toEqual([]);
  expect(ends).toEqual(['page_empty', 'page_empty', 'page_empty']);
});

const okxRow = (uTime: number) => ({
  instId: 'BTC-USDT-SWAP',
  instType: 'SWAP',
  type: '2',
  posId: String(uTime),
  direction: 'long',
  openAvgPx: '1',
  closeAvgPx: '2',
  closeTotalPos: '1',
  realizedPnl: '1',
  lever: '1',
  cTime: '1',
  uTime: String(uTime),
});
const kucoinRow = (closeId: string) => ({
  closeId,
  symbol: 'XBTUSDTM',
  settleCurrency: 'USDT',
  type: 'CLOSE_LONG',
  side: 'LONG',
  pnl: '1',
  closeTime: NOW - 5,
});
const many = <T>(count: number, row: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, nth) => row(nth));

/** Lists by time or number, from venues that ignore what is asked: every page is the first one again. */
const IGNORANT: Record<
  string,
  { venue: () => Venue; answer: (method: string) => unknown; rows: number; end: EarlyEnd }
> = {
  okx: {
    venue: createOkx,
    answer: (method) =>
      method.startsWith('public') ? { data: [] } : { data: many(100, (nth) => okxRow(NOW - nth)) },
    rows: 100,
    end: 'time_repeated',
  },
  hyperliquid: {
    venue: createHyperliquid,
    answer: () =>
      many(2_000, (nth) => ({
        coin: 'ETH',
        px: '10',
        sz: '1',
        side: 'A',
        time: NOW - 5_000 + nth,
        startPosition: '1',
        dir: 'Close Long',
        closedPnl: '1',
        tid: nth + 1,
      })),
    rows: 2_000,
    end: 'time_repeated',
  },
  binance: {
    venue: () => binance,
    answer: (method) =>
      method.endsWith('Income')
        ? many(1_000, (nth) => ({ symbol: 'BTCUSDT', asset: 'USDT', time: NOW - 5_000 + nth }))
        : many(1_000, (nth) => ({
            symbol: 'BTCUSDT',
            orderId: nth,
            side: 'SELL',
            positionSide: 'BOTH',
            price: '10',
            qty: '1',
            realizedPnl: '1',
            time: NOW - 5_000 + nth,
          })),
    rows: 1_000,
    end: 'time_repeated',
  },
  kucoin: {
    venue: createKucoin,
    answer: (method) =>
      method.startsWith('futuresPublic')
        ? { data: [] }
        : { data: { items: ['a', 'b'].map(kucoinRow), totalPage: 1_000_000 } },
    rows: 2,
    end: 'page_repeated',
  },
};

test.each(Object.entries(IGNORANT))(
  '%s answers the same page to everything: the walk ends',
  async (name, given) => {
    const ends: EarlyEnd[] = [];
    let asked = 0;
    const session = sessionOf(
      name as 'okx',
      (method) => {
        asked += 1;
        return given.answer(method);
      },
      ends,
    );
    const ids = await history(given.venue(), session);
    expect(new Set(ids).size).toBe(given.rows);
    expect(ids).toHaveLength(given.rows);
    expect(asked).toBeLessThan(12);
    expect(ends).toContain(given.end);
  },
);

test('a trail that was stored between two turns knows its pages', () => {
  const idOf = (row: string) => row;
  const first = followPages();
  expect(first.take({ rows: ['a', 'b', 'a'], nextCursor: 'x' }, idOf)).toEqual({
    rows: ['a', 'b'],
    nextCursor: 'x',
    end: null,
  });
  const later = followPages(first.marks());
  expect(later.take({ rows: ['b', 'a'], nextCursor: 'y' }, idOf)).toEqual({
    rows: [],
    nextCursor: null,
    end: 'page_repeated',
  });
  expect(followPages(first.marks()).take({ rows: ['c'], nextCursor: 'x' }, idOf)).toEqual({
    rows: ['c'],
    nextCursor: null,
    end: 'cursor_repeated',
  });
});

test('a list that always brings something new ends as well', () => {
  const trail = followPages([], 5);
  const ends = many(5, (nth) => trail.take({ rows: [nth], nextCursor: `c${nth}` }, String).end);
  expect(ends).toEqual([null, null, null, null, 'too_many_pages']);
  // Also when it is read in as many turns as it has pages.
  let marks: string[] = [];
  let pages = 0;
  for (let end: EarlyEnd | null = null; end === null; pages += 1) {
    const turn = followPages(marks, 5);
    ({ end } = turn.take({ rows: [pages], nextCursor: `c${pages}` }, String));
    marks = turn.marks();
  }
  expect(pages).toBe(5);
});

test('time only moves on', () => {
  expect(nextInTime(5, 6, 1)).toEqual({ next: 6, end: null });
  expect(nextInTime(5, 5, 1)).toEqual({ next: null, end: 'time_repeated' });
  expect(nextInTime(5, 4, -1)).toEqual({ next: 4, end: null });
  expect(nextInTime(5, 6, -1)).toEqual({ next: null, end: 'time_repeated' });
  expect(nextInTime(5, null, 1)).toEqual({ next: null, end: null });
});
