import { z } from 'zod';
import type { ClosedPosition, ClosedPositionsPage } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { splitFullPage } from '../paging/full-page.ts';
import { type EarlyEnd, earlyEndOf, nextInTime } from '../paging/page-trail.ts';
import { behindEdge, rememberedFrom, unlessForgotten } from '../paging/retention.ts';
import { afterWindow, DAY_MS, firstWindow, rememberedPart, type TimeRange } from '../paging/windows.ts';
import type { Session } from '../venue.ts';
import { BINANCE } from './binance-endpoints.ts';
import {
  groupBinanceTrades,
  isBinanceIncomeInDollars,
  readBinanceIncome,
  readBinanceTrades,
} from './binance-trades.ts';

/** Income and trades go back three months, trades at most 7 days per request. */
const REMEMBERED_DAYS = 90;
/** A start that is older: https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code */
const REFUSED_RANGE: ReadonlySet<string> = new Set(['-4166']);
const WINDOW_MS = 7 * DAY_MS;
const ROWS = 1_000;

const placeSchema = z.object({
  since: cursorTime,
  /** Symbols of the window from `since` whose trades are still to be read; missing: not known yet. */
  symbols: z.array(z.string()).optional(),
  /** Those of them that paid in something other than dollars. */
  foreign: z.array(z.string()).optional(),
  /** Where reading of the first symbol continues; missing: at the beginning of the window. */
  from: cursorTime.optional(),
});
type Place = z.infer<typeof placeSchema>;

const isForeign = (symbol: string) => !isBinanceIncomeInDollars({ symbol });

/** Symbols with a profit or loss in a window, and those that did not pay in dollars. */
async function findSymbols(
  session: Session,
  window: TimeRange,
): Promise<{ symbols: string[]; foreign: string[]; brokeOff: EarlyEnd | null }> {
  let brokeOff: EarlyEnd | null = null;
  const symbols = new Set<string>();
  const foreign = new Set<string>();
  let fromMs: number | null = window.sinceMs;
  while (fromMs !== null && fromMs <= window.untilMs) {
    const answer = await session.call(BINANCE.income, {
      incomeType: 'REALIZED_PNL',
      startTime: fromMs,
      endTime: window.untilMs,
      limit: ROWS,
    });
    const rows = readBinanceIncome(answer);
    for (const row of rows) {
      if (row.symbol === '') continue;
      symbols.add(row.symbol);
      if (!isBinanceIncomeInDollars(row)) foreign.add(row.symbol);
    }
    const { next, end } = nextInTime(
      fromMs,
      rows.length < ROWS ? null : splitFullPage(rows, ({ time }) => time, 1).nextMs,
      1,
    );
    session.noteEnd(BINANCE.income, end);
    brokeOff ??= end;
    fromMs = next;
  }
  return { symbols: [...symbols].sort(), foreign: [...foreign], brokeOff };
}

/**
 * One page of the trades of one symbol: the closed positions, and where reading continues; null: the window is done.
 */
async function readTrades(session: Session, symbol: string, part: TimeRange, isInDollars: boolean) {
  const answer = await session.call(BINANCE.trades, {
    symbol,
    startTime: part.sinceMs,
    endTime: part.untilMs,
    limit: ROWS,
  });
  const trades = readBinanceTrades(answer);
  const isInside = ({ time }: { time: number }) => time >= part.sinceMs && time <= part.untilMs;
  if (trades.length < ROWS)
    return { items: groupBinanceTrades(trades.filter(isInside), isInDollars), nextMs: null, end: null };
  const { rows, nextMs } = splitFullPage(trades, ({ time }) => time, 1);
  const { next, end } = nextInTime(part.sinceMs, nextMs <= part.untilMs ? nextMs : null, 1);
  session.noteEnd(BINANCE.trades, end);
  // When paging breaks off, no next page follows: the rows of the last ms are taken too.
  const taken = end === null ? rows : trades;
  return { items: groupBinanceTrades(taken.filter(isInside), isInDollars), nextMs: next, end };
}

/** The symbols of one window, or one page of the trades of one symbol in it. */
export async function readBinanceHistory(
  session: Session,
  range: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const coverageFrom = rememberedFrom(session.now(), REMEMBERED_DAYS);
  const remembered = rememberedPart(range, coverageFrom);
  const place: Place =
    cursor === null ? { since: remembered.sinceMs } : recalled(readCursor(placeSchema, cursor), coverageFrom);
  const rest = { sinceMs: place.since, untilMs: remembered.untilMs };
  const window = firstWindow(rest, WINDOW_MS);
  if (!window) return { items: [], nextCursor: null, coverageFrom };
  const read = await unlessForgotten(
    session,
    { endpoint: BINANCE.trades, window, coverageFrom, codes: REFUSED_RANGE },
    () => readPlace(session, place, window),
  );
  if (read === null) {
    const since = behindEdge(window, coverageFrom);
    const nextCursor = since > rest.untilMs ? null : writeCursor({ since });
    return { items: [], nextCursor, coverageFrom: Math.max(coverageFrom, since) };
  }
  const inWindow = read.next;
  const next =
    inWindow ?? (window.untilMs < rest.untilMs ? { since: afterWindow(rest, window).sinceMs } : null);
  const nextCursor = next && writeCursor(next);
  return { items: read.items, nextCursor, coverageFrom, ...earlyEndOf(read.end) };
}

/** The same place, or the edge of the venue's memory when the place fell behind it between two turns. */
const recalled = (place: Place, coverageFrom: number): Place =>
  place.since >= coverageFrom ? place : { since: coverageFrom };

/** One page of a window, and the next place in it; null: the window is done. */
async function readPlace(
  session: Session,
  place: Place,
  window: TimeRange,
): Promise<{ items: ClosedPosition[]; next: Place | null; end: EarlyEnd | null }> {
  const { symbols, foreign, brokeOff } = place.symbols
    ? { symbols: place.symbols, foreign: place.foreign ?? place.symbols.filter(isForeign), brokeOff: null }
    : await findSymbols(session, window);
  const [symbol, ...others] = symbols;
  if (symbol === undefined) return { items: [], next: null, end: brokeOff };
  const part = { ...window, sinceMs: place.from ?? window.sinceMs };
  const trades = await readTrades(session, symbol, part, !foreign.includes(symbol));
  const { items, nextMs } = trades;
  const end = trades.end ?? brokeOff;
  if (nextMs !== null) return { items, next: { since: place.since, symbols, foreign, from: nextMs }, end };
  return { items, next: others.length > 0 ? { since: place.since, symbols: others, foreign } : null, end };
}
