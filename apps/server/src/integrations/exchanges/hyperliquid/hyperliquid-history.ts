import { z } from 'zod';
import type { ClosedPositionsPage } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { splitFullPage } from '../paging/full-page.ts';
import { earlyEndOf, nextInTime } from '../paging/page-trail.ts';
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
  const listed = readHyperliquidFills(answer);
  const split =
    listed.length >= ROWS ? splitFullPage(listed, ({ time }) => time, 1) : { rows: listed, nextMs: null };
  const nextMs = split.nextMs !== null && split.nextMs <= range.untilMs ? split.nextMs : null;
  const { next, end } = nextInTime(place.from, nextMs, 1);
  session.noteEnd(HYPERLIQUID.fills, end);
  // When paging breaks off, no next page follows: the rows of the last ms are taken too.
  const isInside = ({ time }: { time: number }) => time >= place.from && time <= range.untilMs;
  const fills = listed.filter(isInside);
  const rows = end === null ? split.rows.filter(isInside) : fills;
  const seen = place.seen + rows.length;
  const first = place.first || Math.min(range.untilMs, ...fills.map(({ time }) => time));
  return {
    items: rows.filter(isClosingFill).map(toHyperliquidClosed),
    nextCursor: next === null ? null : writeCursor({ from: next, seen, first }),
    // Fewer fills than the venue stores are a complete history.
    coverageFrom: seen >= REMEMBERED_FILLS ? first : 0,
    ...earlyEndOf(end),
  };
}
