import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ClosedPositionsPage, DecimalText } from '../gateway.ts';
import { readCursor, writeCursor } from '../paging/cursor.ts';
import { earlyEndOf, followPages } from '../paging/page-trail.ts';
import type { TimeRange } from '../paging/windows.ts';
import { Amount, isZero } from '../shapes/decimal-text.ts';
import { isDollar } from '../shapes/settlement.ts';
import { onlyReads, type Session, type Venue } from '../venue.ts';
import {
  readKucoinEquity,
  readKucoinIdentity,
  readKucoinKeyInfo,
  readKucoinMarkPrice,
  requireKucoinClassic,
} from './kucoin-account.ts';
import { readKucoinClosed, toKucoinClosed } from './kucoin-closed.ts';
import { createKucoinContracts, type KucoinContracts } from './kucoin-contracts.ts';
import { KUCOIN, kucoinLimits } from './kucoin-endpoints.ts';
import { kucoinErrors } from './kucoin-errors.ts';
import { readKucoinPositionRows, toKucoinPosition } from './kucoin-positions.ts';

/** Most rows of a page. https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-positions-history */
const ROWS = 200;

const placeSchema = z.object({
  page: z.number().int().positive(),
  /** The marks of the pages that were read. */
  read: z.array(z.string()).optional(),
});

/**
 * One page. Pages are numbered, so the range's fixed end keeps rows from moving between them; a venue that repeats a
 * page, whatever its number, ends the list.
 */
async function readHistory(
  session: Session,
  contracts: KucoinContracts,
  { sinceMs, untilMs }: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const { page, read }: z.infer<typeof placeSchema> =
    cursor === null ? { page: 1 } : readCursor(placeSchema, cursor);
  const asked = { from: sinceMs, to: untilMs, limit: ROWS, pageId: page };
  const { items: listed, totalPage } = readKucoinClosed(await session.call(KUCOIN.history, asked));
  const trail = followPages(read);
  const { rows, nextCursor, end } = trail.take(
    { rows: listed, nextCursor: page < totalPage ? String(page + 1) : null },
    ({ closeId }) => closeId,
  );
  session.noteEnd(KUCOIN.history, end);
  const items = await Promise.all(
    rows.map(async (row) => toKucoinClosed(row, await contracts.find(session, row.symbol))),
  );
  const next = nextCursor === null ? null : writeCursor({ page: page + 1, read: trail.marks() });
  // No limit is documented.
  return { items, nextCursor: next, coverageFrom: 0, ...earlyEndOf(end) };
}

const MODE_TTL_MS = 3_600_000;

/** Refuses accounts in another mode than classic, whose classic futures account is empty. */
function createModeCheck() {
  const classic = new LRUCache<string, number>({ max: 10_000 });
  return async (session: Session, isEmpty: boolean): Promise<void> => {
    const key = keyOf(session);
    const knownAt = classic.get(key);
    // An account with holdings is still as it was; an empty one may have become a unified one.
    if (!isEmpty && knownAt !== undefined && session.now() - knownAt < MODE_TTL_MS) return;
    requireKucoinClassic(await session.call(KUCOIN.mode));
    classic.set(key, session.now());
  };
}

const keyOf = ({ credentials }: Session): string => ('apiKey' in credentials ? credentials.apiKey : '');

/** KuCoin: the classic futures account. */
export function createKucoin(): Venue {
  const contracts = createKucoinContracts();
  const checkMode = createModeCheck();
  return {
    endpoints: KUCOIN,
    errors: kucoinErrors,
    limits: kucoinLimits,
    isAllowed: onlyReads,
    reader: {
      identify: async (session) => readKucoinIdentity(await session.call(KUCOIN.keyInfo)),
      async equityUsd(session) {
        const equity = await readKucoinEquityUsd(session, contracts);
        await checkMode(session, isZero(equity));
        return equity;
      },
      async openPositions(session) {
        const rows = readKucoinPositionRows(await session.call(KUCOIN.positions));
        await checkMode(session, rows.length === 0);
        return await Promise.all(
          rows.map(async (row) => toKucoinPosition(row, await contracts.find(session, row.symbol))),
        );
      },
      closedPositions: (session, range, cursor) => readHistory(session, contracts, range, cursor),
      keyInfo: async (session) => readKucoinKeyInfo(await session.call(KUCOIN.keyInfo)),
    },
  };
}

/** Balances outlive the last contract that settles in their currency. */
const ALWAYS_ASKED = ['USDT', 'USDC', 'XBT'];

/**
 * Equity of a classic futures account in USD. The venue reports one settlement currency at a time, so this reads every
 * currency in which a listed contract settles. Dollars count unchanged, coins at the mark price of their perpetual in
 * USDT; a coin without one is an error, since its value is unknown.
 * https://www.kucoin.com/docs-new/rest/account-info/account-funding/get-account-futures
 */
async function readKucoinEquityUsd(session: Session, contracts: KucoinContracts): Promise<DecimalText> {
  const listed = [...(await contracts.list(session)).values()].map(({ settles }) => settles);
  const worths = await Promise.all(
    [...new Set([...ALWAYS_ASKED, ...listed])].map(async (currency) => {
      const equity = readKucoinEquity(await session.call(KUCOIN.overview, { currency }), currency);
      if (isDollar(currency) || isZero(equity)) return equity;
      const symbol = `${currency}USDTM`;
      const price = readKucoinMarkPrice(await session.callPublic(KUCOIN.markPrice, { symbol }));
      return new Amount(equity).times(price).toFixed();
    }),
  );
  return worths.reduce((sum, worth) => sum.plus(worth), new Amount(0)).toFixed();
}
