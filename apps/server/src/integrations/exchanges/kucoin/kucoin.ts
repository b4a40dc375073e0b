import { z } from 'zod';
import type { ClosedPositionsPage } from '../gateway.ts';
import { readCursor, writeCursor } from '../paging/cursor.ts';
import type { TimeRange } from '../paging/windows.ts';
import { onlyReads, type Session, type Venue } from '../venue.ts';
import { readKucoinIdentity, readKucoinKeyInfo } from './kucoin-account.ts';
import { readKucoinClosed, toKucoinClosed } from './kucoin-closed.ts';
import { createKucoinContracts, type KucoinContracts } from './kucoin-contracts.ts';
import { KUCOIN, kucoinLimits } from './kucoin-endpoints.ts';
import { readKucoinEquityUsd } from './kucoin-equity.ts';
import { kucoinErrors } from './kucoin-errors.ts';
import { readKucoinPositionRows, toKucoinPosition } from './kucoin-positions.ts';

/** Most rows of a page. https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-positions-history */
const ROWS = 200;

const placeSchema = z.object({ page: z.number().int().positive() });

/** One page. Pages are numbered, so the range's fixed end keeps rows from moving between them. */
async function readHistory(
  session: Session,
  contracts: KucoinContracts,
  { sinceMs, untilMs }: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const page = cursor === null ? 1 : readCursor(placeSchema, cursor).page;
  const asked = { from: sinceMs, to: untilMs, limit: ROWS, pageId: page };
  const { items: rows, totalPage } = readKucoinClosed(await session.call(KUCOIN.history, asked));
  const items = await Promise.all(
    rows.map(async (row) => toKucoinClosed(row, await contracts.find(session, row.symbol))),
  );
  const nextCursor = page < totalPage && rows.length > 0 ? writeCursor({ page: page + 1 }) : null;
  // No limit is documented.
  return { items, nextCursor, coverageFrom: 0 };
}

/** KuCoin: the classic futures account. */
export function createKucoin(): Venue {
  const contracts = createKucoinContracts();
  return {
    endpoints: KUCOIN,
    errors: kucoinErrors,
    limits: kucoinLimits,
    isAllowed: onlyReads,
    reader: {
      identify: async (session) => readKucoinIdentity(await session.call(KUCOIN.keyInfo)),
      equityUsd: (session) => readKucoinEquityUsd(session, contracts),
      async openPositions(session) {
        const rows = readKucoinPositionRows(await session.call(KUCOIN.positions));
        return await Promise.all(
          rows.map(async (row) => toKucoinPosition(row, await contracts.find(session, row.symbol))),
        );
      },
      closedPositions: (session, range, cursor) => readHistory(session, contracts, range, cursor),
      keyInfo: async (session) => readKucoinKeyInfo(await session.call(KUCOIN.keyInfo)),
    },
  };
}
