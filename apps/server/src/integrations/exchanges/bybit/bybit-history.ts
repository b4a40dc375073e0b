import { z } from 'zod';
import type { ClosedPositionsPage } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { afterWindow, DAY_MS, firstWindow, rememberedPart, type TimeRange } from '../paging/windows.ts';
import type { Session } from '../venue.ts';
import { readBybitClosed } from './bybit-closed.ts';
import { BYBIT } from './bybit-endpoints.ts';

/** https://bybit-exchange.github.io/docs/v5/position/close-pnl: 730 days back, at most 7 days per request. */
const REMEMBERED_MS = 730 * DAY_MS;
const WINDOW_MS = 7 * DAY_MS;
const ROWS = 100;

const placeSchema = z.object({
  category: z.enum(['linear', 'inverse']),
  since: cursorTime,
  /** The venue's cursor within the window that begins at `since`. */
  page: z.string().optional(),
});
type Place = z.infer<typeof placeSchema>;

function nextPlace(place: Place, range: TimeRange, window: TimeRange, page: string | null): Place | null {
  if (page !== null) return { ...place, page };
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
  const coverageFrom = session.now() - REMEMBERED_MS;
  const remembered = rememberedPart(range, coverageFrom);
  const start: Place = { category: 'linear', since: remembered.sinceMs };
  const place = cursor === null ? start : readCursor(placeSchema, cursor);
  const rest = { sinceMs: place.since, untilMs: remembered.untilMs };
  const window = firstWindow(rest, WINDOW_MS);
  if (!window) return { items: [], nextCursor: null, coverageFrom };
  const answer = await session.call(BYBIT.closedPnl, {
    category: place.category,
    startTime: window.sinceMs,
    endTime: window.untilMs,
    limit: ROWS,
    ...(place.page === undefined ? {} : { cursor: place.page }),
  });
  const { items, nextCursor: page } = readBybitClosed(answer, place.category);
  const inverse: Place | null =
    place.category === 'linear' ? { category: 'inverse', since: remembered.sinceMs } : null;
  const next = nextPlace(place, rest, window, items.length === 0 ? null : page) ?? inverse;
  return { items, nextCursor: next && writeCursor(next), coverageFrom };
}
