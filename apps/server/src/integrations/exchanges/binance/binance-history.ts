import { z } from 'zod';
import { type ClosedPositionsPage, GatewayError } from '../gateway.ts';
import { cursorTime, readCursor, writeCursor } from '../paging/cursor.ts';
import { splitFullPage } from '../paging/full-page.ts';
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
const REMEMBERED_MS = 90 * DAY_MS;
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
): Promise<{ symbols: string[]; foreign: string[] }> {
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
    const nextMs: number | null =
      rows.length < ROWS ? null : splitFullPage(rows, ({ time }) => time, 1).nextMs;
    // A page that leads back to its own beginning would repeat endlessly.
    if (nextMs !== null && nextMs <= fromMs) throw new GatewayError('bad_response');
    fromMs = nextMs;
  }
  return { symbols: [...symbols].sort(), foreign: [...foreign] };
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
  if (trades.length < ROWS) return { items: groupBinanceTrades(trades, isInDollars), nextMs: null };
  const { rows, nextMs } = splitFullPage(trades, ({ time }) => time, 1);
  return { items: groupBinanceTrades(rows, isInDollars), nextMs: nextMs <= part.untilMs ? nextMs : null };
}

/** The symbols of one window, or one page of the trades of one symbol in it. */
export async function readBinanceHistory(
  session: Session,
  range: TimeRange,
  cursor: string | null,
): Promise<ClosedPositionsPage> {
  const coverageFrom = session.now() - REMEMBERED_MS;
  const remembered = rememberedPart(range, coverageFrom);
  const place: Place = cursor === null ? { since: remembered.sinceMs } : readCursor(placeSchema, cursor);
  const rest = { sinceMs: place.since, untilMs: remembered.untilMs };
  const window = firstWindow(rest, WINDOW_MS);
  if (!window) return { items: [], nextCursor: null, coverageFrom };

  const found = place.symbols
    ? { symbols: place.symbols, foreign: place.foreign ?? place.symbols.filter(isForeign) }
    : await findSymbols(session, window);
  const { foreign } = found;
  const [symbol, ...others] = found.symbols;
  const part = { ...window, sinceMs: place.from ?? window.sinceMs };
  const read =
    symbol === undefined
      ? { items: [], nextMs: null }
      : await readTrades(session, symbol, part, !foreign.includes(symbol));
  let next: Place | null = null;
  if (symbol !== undefined && read.nextMs !== null)
    next = { since: place.since, symbols: [symbol, ...others], foreign, from: read.nextMs };
  else if (others.length > 0) next = { since: place.since, symbols: others, foreign };
  else if (window.untilMs < rest.untilMs) next = { since: afterWindow(rest, window).sinceMs };
  return { items: read.items, nextCursor: next && writeCursor(next), coverageFrom };
}
