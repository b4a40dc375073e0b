import type { Exchange } from '../catalogue.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';

/**
 * Schedules for reading accounts, and the range of each read. Times are ms since 1970; every one of them is an
 * argument.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Interval for reading closed positions without a sign of a closing. On binance and hyperliquid they are assembled from
 * fills, which costs several times all other reads (the venues' rate limits).
 */
const CLOSED_EVERY_MS: Record<Exchange, number> = {
  bybit: HOUR_MS,
  okx: HOUR_MS,
  kucoin: HOUR_MS,
  binance: 6 * HOUR_MS,
  hyperliquid: 6 * HOUR_MS,
};
/** Each read starts this long before the known range: exchanges report some closings minutes late. */
export const CLOSE_OVERLAP_MS = HOUR_MS;
/** Once a day the last days are read again, for closings reported even later. */
const RESCAN_EVERY_MS = DAY_MS;
const RESCAN_BACK_MS = 3 * DAY_MS;
/** An invoiced profit that the exchange reports differently by less than this, in USD, is the same: venues round. */
export const LEAST_CORRECTION_USD = 0.01;
/** First delay after a failed read; it doubles up to the ordinary interval. */
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
  /** All positions closed before this are known; null: none was read yet. */
  knownTo: number | null;
  readAt: number | null;
  rescannedAt: number | null;
  /** A range read in several turns, until it is complete. */
  unfinished: ClosedReadPlan | null;
}

export interface ClosedReadPlan {
  since: number;
  until: number;
  cursor: string | null;
  isRescan: boolean;
}

/**
 * Whether this turn reads closed positions, and which. They use more of an exchange's budget than all other reads
 * together, so they are read when a position shrank or vanished, when a refresh was requested, and otherwise every few
 * hours. Nothing before the account was connected is read, because it is not invoiced.
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
  const since = Math.max(state.connectedAt, known - (isRescan ? RESCAN_BACK_MS : CLOSE_OVERLAP_MS));
  return { since: Math.min(since, now), until: now, cursor: null, isRescan };
}

/** A key that is kept for the last read of a removed account is destroyed after this, whether it was read or not. */
export const LAST_READ_WITHIN_MS = DAY_MS;

/**
 * The last read of a removed account: what closed up to its removal, after a range that was not read to its end. It
 * begins as far back as the daily reading does, because exchanges report some closings late.
 * @param until when the account was removed, ms since 1970
 */
export function planLastRead(
  { connectedAt, knownTo, unfinished }: Omit<ClosedReadState, 'exchange' | 'readAt' | 'rescannedAt'>,
  until: number,
): ClosedReadPlan {
  if (unfinished) return unfinished;
  const since = Math.max(connectedAt, Math.min(knownTo ?? connectedAt, until) - RESCAN_BACK_MS);
  return { since: Math.min(since, until), until, cursor: null, isRescan: true };
}

/**
 * Whether a last read that ends now began late enough after the removal to list every close before it. Earlier ones save
 * what is there, in case the key is revoked. A range read in several turns began after the one before it had ended.
 */
export function isLastReadFinal(
  { readAt, unfinished }: Pick<ClosedReadState, 'readAt' | 'unfinished'>,
  { removedAt, startedAt }: { removedAt: number; startedAt: number },
): boolean {
  const begunAfter = unfinished ? (readAt ?? 0) : startedAt;
  return begunAfter >= removedAt + CLOSE_OVERLAP_MS;
}

/** Everything that closed before this is known, however late the exchange lists it. */
export const surelyKnownTo = ({
  connectedAt,
  knownTo,
}: Pick<ClosedReadState, 'connectedAt' | 'knownTo'>): number =>
  Math.max(connectedAt, (knownTo ?? connectedAt) - CLOSE_OVERLAP_MS);

/** Also true when it never happened or is in the future: a clock was wrong, and the time is unreliable. */
function isOlder(at: number | null, ageMs: number, now: number): boolean {
  return at === null || at > now || now - at >= ageMs;
}

/** Whether an earlier position is gone or smaller now, so one was closed, at least in part. */
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
 * Time until the next read.
 * @param failures failed reads in a row, this one included; 0 after a good one
 * @param retryAfterMs the exchange's requested delay
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
