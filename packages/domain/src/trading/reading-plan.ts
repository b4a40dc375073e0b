import type { Exchange } from '../catalogue.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';

/** When accounts are read and how far back. Times are ms since 1970; every one of them is an argument. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Without a sign that a position was closed, closed positions are asked for this often. On binance and hyperliquid
 * they are put together from fills, which costs several times all the rest (the venues' rate limits).
 */
const CLOSED_EVERY_MS: Record<Exchange, number> = {
  bybit: HOUR_MS,
  okx: HOUR_MS,
  kucoin: HOUR_MS,
  binance: 6 * HOUR_MS,
  hyperliquid: 6 * HOUR_MS,
};
/** Each read begins this long before what is known: exchanges report some closings minutes late. */
const OVERLAP_MS = HOUR_MS;
/** Once a day the last days are gone through again, for what comes later than that. */
const RESCAN_EVERY_MS = DAY_MS;
const RESCAN_BACK_MS = 3 * DAY_MS;
/** First pause after a failed read; it doubles up to the ordinary interval. */
const FIRST_RETRY_MS = 30_000;

export interface OpenSize {
  symbol: string;
  side: 'long' | 'short';
  /** Decimal text */
  contracts: string;
}

export interface ClosedReadState {
  exchange: Exchange;
  connectedAt: number;
  /** Every position closed before this is known; null: none was read yet. */
  knownTo: number | null;
  readAt: number | null;
  rescannedAt: number | null;
  /** A range that is read in several turns, until it is done. */
  unfinished: ClosedReadPlan | null;
}

export interface ClosedReadPlan {
  since: number;
  until: number;
  cursor: string | null;
  isRescan: boolean;
}

/**
 * Whether closed positions are to be read in this turn, and which. They cost an exchange's budget more than the
 * rest together, so an account is asked when a position got smaller or is gone, when somebody waits for it, and
 * else every few hours. Nothing before the account was connected is read: it owes nothing.
 */
export function planClosedRead(
  state: ClosedReadState,
  facts: { now: number; hasShrunk: boolean; isRequested: boolean },
): ClosedReadPlan | null {
  if (state.unfinished) return state.unfinished;
  const { now, hasShrunk, isRequested } = facts;
  const isDue = isOlder(state.readAt, CLOSED_EVERY_MS[state.exchange], now);
  if (!isDue && !hasShrunk && !isRequested) return null;
  const isRescan = isOlder(state.rescannedAt, RESCAN_EVERY_MS, now);
  const known = Math.min(state.knownTo ?? state.connectedAt, now);
  const since = Math.max(state.connectedAt, known - (isRescan ? RESCAN_BACK_MS : OVERLAP_MS));
  return { since: Math.min(since, now), until: now, cursor: null, isRescan };
}

/** Also when it never was, or lies in the future: then some clock was wrong, and nothing is known from it. */
function isOlder(at: number | null, ageMs: number, now: number): boolean {
  return at === null || at > now || now - at >= ageMs;
}

/** Whether some position of before is gone or smaller now: then one was closed, at least in part. */
export function hasShrunk(before: readonly OpenSize[], now: readonly OpenSize[]): boolean {
  const sizes = (positions: readonly OpenSize[]) => {
    const bySymbol = new Map<string, InstanceType<typeof ExactDecimal>>();
    for (const { symbol, side, contracts } of positions) {
      const key = `${symbol} ${side}`;
      bySymbol.set(key, new ExactDecimal(contracts).abs().plus(bySymbol.get(key) ?? 0));
    }
    return bySymbol;
  };
  const sizesNow = sizes(now);
  return [...sizes(before)].some(([key, size]) => size.gt(sizesNow.get(key) ?? 0));
}

/**
 * How long until the next read.
 * @param failures failed reads in a row, this one included; 0 after a good one
 * @param retryAfterMs what the exchange asked for
 * @param spread a number from 0 to 1 that keeps accounts from coming due together
 */
export function nextReadInMs(facts: {
  everyMs: number;
  failures: number;
  isRetryable: boolean;
  retryAfterMs: number | null;
  spread: number;
}): number {
  const { everyMs, failures, isRetryable, retryAfterMs, spread } = facts;
  const ordinary = everyMs * (0.95 + 0.05 * spread);
  if (failures === 0 || !isRetryable) return ordinary;
  const backoff = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10);
  return Math.min(ordinary, Math.max(backoff, retryAfterMs ?? 0));
}
