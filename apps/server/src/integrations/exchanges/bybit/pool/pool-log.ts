import { z } from 'zod';
import type { Page } from '../../paging/page-trail.ts';
import { walkPages } from '../../paging/read-pages.ts';
import { DAY_MS, type TimeRange } from '../../paging/windows.ts';
import type { LogSums } from '../../pool-records.ts';
import { readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { windowsOf } from './pool-pages.ts';
import { COIN, optionalText, units } from './pool-shapes.ts';

const ROWS = 50;
const WINDOW_MS = 7 * DAY_MS;
/** 100,000 entries a week, after which the sum is given up rather than left incomplete. */
const MOST_PAGES = 2_000;

const entry = z.object({
  id: z.string().min(1),
  currency: z.literal(COIN),
  type: z.string().min(1),
  change: units,
});
const logAnswer = z.object({ result: z.object({ list: z.array(entry), nextPageCursor: optionalText }) });

type Entry = z.infer<typeof entry>;

/** @param answer of GET /v5/account/transaction-log */
function readLog(answer: unknown): Page<Entry> {
  const { list, nextPageCursor } = readShape(logAnswer, answer).result;
  return { rows: list, nextCursor: nextPageCursor };
}

/** Adds up `change`, which is cash flow plus funding less fee. An entry that two pages list counts once. */
export async function sumBybitLog(session: Session, span: TimeRange): Promise<LogSums> {
  const byType: Record<string, bigint> = {};
  for (const { sinceMs, untilMs } of windowsOf(span, WINDOW_MS)) {
    const params = {
      accountType: 'UNIFIED',
      currency: COIN,
      startTime: sinceMs,
      endTime: untilMs,
      limit: ROWS,
    };
    await walkPages(
      session,
      { endpoint: BYBIT_POOL.transactionLog, params, mostPages: MOST_PAGES, isWhole: true },
      readLog,
      {
        idOf: ({ id }) => id,
        take(rows) {
          for (const { type, change } of rows) byType[type] = (byType[type] ?? 0n) + change;
        },
      },
    );
  }
  return { byType };
}
