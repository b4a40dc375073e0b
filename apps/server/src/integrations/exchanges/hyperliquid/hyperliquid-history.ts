import { z } from 'zod';
import type { ClosedPositionsPage } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { splitFullPage } from '../paging/full-page.ts';
import type { TimeRange } from '../paging/windows.ts';
import type { Session } from '../venue.ts';
import { masterAddress } from './hyperliquid-account.ts';
import { HYPERLIQUID } from './hyperliquid-endpoints.ts';
import { isClosingFill, readHyperliquidFills, toHyperliquidClosed } from './hyperliquid-fills.ts';

/** Most fills of an answer, and most that the venue stores for an address. */
const ROWS = 2_000;
const REMEMBERED_FILLS = 10_000;

const placeSchema = z.object({
  from: cursorTime,
  /** Fills read so far, and the time of the first one. */
  seen: z.number().int().nonnegative(),
  first: cursorTime,
});

/** One page of fills, walking forwards; returns the closing ones. */
export async function readHyperliquidHistory(
  session: Session,
  range: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const place =
    cursor === null ? { from: range.sinceMs, seen: 0, first: 0 } : readCursor(placeSchema, cursor);
  if (place.from > range.untilMs) return { items: [], nextCursor: null, coverageFrom: 0 };
  const answer = await session.call(HYPERLIQUID.fills, {
    type: 'userFillsByTime',
    user: masterAddress(session),
    startTime: place.from,
    endTime: range.untilMs,
    aggregateByTime: true,
  });
  const fills = readHyperliquidFills(answer);
  const isFull = fills.length >= ROWS;
  const { rows, nextMs } = isFull
    ? splitFullPage(fills, ({ time }) => time, 1)
    : { rows: fills, nextMs: range.untilMs + 1 };
  const seen = place.seen + rows.length;
  const first = place.first || Math.min(range.untilMs, ...fills.map(({ time }) => time));
  return {
    items: rows.filter(isClosingFill).map(toHyperliquidClosed),
    nextCursor: nextMs <= range.untilMs ? writeCursor({ from: nextMs, seen, first }) : null,
    // Fewer fills than the venue stores are a complete history.
    coverageFrom: seen >= REMEMBERED_FILLS ? first : 0,
  };
}
