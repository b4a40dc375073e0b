import { z } from 'zod';
import type { ClosedPositionsPage } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { splitFullPage } from '../paging/full-page.ts';
import { earlyEndOf, nextInTime } from '../paging/page-trail.ts';
import { rememberedFrom } from '../paging/retention.ts';
import type { TimeRange } from '../paging/windows.ts';
import type { Session } from '../venue.ts';
import { isOkxClosed, readOkxClosedRows, toOkxClosed } from './okx-closed.ts';
import type { OkxContracts } from './okx-contracts.ts';
import { OKX } from './okx-endpoints.ts';

/**
 * "The last 3 months", newest first, 100 rows and those with the same ms as the last one. No start is asked for, so none
 * is refused; three months may be 89 days.
 */
const REMEMBERED_DAYS = 89;
const ROWS = 100;

const placeSchema = z.object({ until: cursorTime });

/** One page, walking backwards from the end of the range. */
export async function readOkxHistory(
  session: Session,
  contracts: OkxContracts,
  range: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const coverageFrom = rememberedFrom(session.now(), REMEMBERED_DAYS);
  const { sinceMs, untilMs } = range;
  const until = cursor === null ? untilMs : readCursor(placeSchema, cursor).until;
  if (sinceMs > until) return { items: [], nextCursor: null, coverageFrom };
  // `after` means older than.
  const answer = await session.call(OKX.history, { after: String(until + 1), limit: String(ROWS) });
  const all = readOkxClosedRows(answer);
  const { rows, nextMs } =
    all.length < ROWS ? { rows: all, nextMs: -1 } : splitFullPage(all, ({ uTime }) => uTime, -1);
  const { next, end } = nextInTime(until, nextMs >= sinceMs ? nextMs : null, -1);
  session.noteEnd(OKX.history, end);
  // When paging breaks off, no next page follows: the rows of the last ms are taken too.
  const taken = end === null ? rows : all;
  const closed = taken.filter((row) => isOkxClosed(row) && row.uTime >= sinceMs && row.uTime <= until);
  const items = await Promise.all(
    closed.map(async (row) => toOkxClosed(row, await contracts.find(session, row.instId))),
  );
  const nextCursor = next === null ? null : writeCursor({ until: next });
  return { items, nextCursor, coverageFrom, ...earlyEndOf(end) };
}
