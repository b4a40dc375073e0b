import { z } from 'zod';
import type { ClosedPosition, ClosedPositionsPage } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { type EarlyEnd, earlyEndOf, followPages } from '../paging/page-trail.ts';
import { behindEdge, rememberedFrom, unlessForgotten } from '../paging/retention.ts';
import { afterWindow, DAY_MS, firstWindow, rememberedPart, type TimeRange } from '../paging/windows.ts';
import type { Session } from '../venue.ts';
import { readBybitClosed } from './bybit-closed.ts';
import { BYBIT } from './bybit-endpoints.ts';
import { RANGE_TOO_OLD } from './bybit-errors.ts';

/** https://bybit-exchange.github.io/docs/v5/position/close-pnl: 730 days back, at most 7 days per request. */
const REMEMBERED_DAYS = 730;
const WINDOW_MS = 7 * DAY_MS;
const ROWS = 100;

const placeSchema = z.object({
  category: z.enum(['linear', 'inverse']),
  since: cursorTime,
  /** The venue's cursor within the window that begins at `since`. */
  page: z.string().optional(),
  /** The marks of the pages of this window that were read. */
  read: z.array(z.string()).optional(),
});
type Place = z.infer<typeof placeSchema>;

function afterWindowOf(place: Place, range: TimeRange, window: TimeRange): Place | null {
  const rest = afterWindow(range, window);
  if (rest.sinceMs <= rest.untilMs) return { category: place.category, since: rest.sinceMs };
  return null;
}

/** One page of one window: first all windows of linear contracts, then those of inverse ones. */
export async function readBybitHistory(
  session: Session,
  range: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const coverageFrom = rememberedFrom(session.now(), REMEMBERED_DAYS, DAY_MS);
  const remembered = rememberedPart(range, coverageFrom);
  const start: Place = { category: 'linear', since: remembered.sinceMs };
  const place = cursor === null ? start : recalled(readCursor(placeSchema, cursor), coverageFrom);
  const rest = { sinceMs: place.since, untilMs: remembered.untilMs };
  const window = firstWindow(rest, WINDOW_MS);
  if (!window) return { items: [], nextCursor: null, coverageFrom };
  const { items, next, end, forgottenTo } = await readPage(session, place, { window, coverageFrom });
  const inverse: Place | null =
    place.category === 'linear' ? { category: 'inverse', since: remembered.sinceMs } : null;
  const goesOn = next ?? afterWindowOf(place, rest, window) ?? inverse;
  const seenFrom = Math.max(coverageFrom, forgottenTo);
  return { items, nextCursor: goesOn && writeCursor(goesOn), coverageFrom: seenFrom, ...earlyEndOf(end) };
}

/** The same place, or the edge of the venue's memory when the place fell behind it between two turns. */
const recalled = (place: Place, coverageFrom: number): Place =>
  place.since >= coverageFrom ? place : { category: place.category, since: coverageFrom };

/** One page, and its window's next place; null: the window is done. What was refused as too old ends at `forgottenTo`. */
async function readPage(
  session: Session,
  place: Place,
  { window, coverageFrom }: { window: TimeRange; coverageFrom: number },
): Promise<{ items: ClosedPosition[]; next: Place | null; end: EarlyEnd | null; forgottenTo: number }> {
  const { category, since, page, read = [] } = place;
  const answer = await unlessForgotten(
    session,
    { endpoint: BYBIT.closedPnl, window, coverageFrom, codes: new Set([RANGE_TOO_OLD]) },
    () =>
      session.call(BYBIT.closedPnl, {
        category,
        startTime: window.sinceMs,
        endTime: window.untilMs,
        limit: ROWS,
        ...(page !== undefined && { cursor: page }),
      }),
  );
  if (answer === null) {
    const forgottenTo = behindEdge(window, coverageFrom);
    return { items: [], next: { category, since: forgottenTo }, end: null, forgottenTo };
  }
  const trail = followPages(read);
  const listed = readBybitClosed(answer, category);
  const { rows, nextCursor, end } = trail.take(
    { rows: listed.items, nextCursor: listed.nextCursor },
    ({ venueId }) => venueId,
  );
  session.noteEnd(BYBIT.closedPnl, end);
  return {
    items: rows,
    next: nextCursor === null ? null : { category, since, page: nextCursor, read: trail.marks() },
    end,
    forgottenTo: 0,
  };
}
