import { rounded, USD_DECIMALS } from './amounts.ts';
import type { DemoPosition } from './history.ts';
import { createLanePosition, createLanes, type Lane, type LanePosition, periodAt, pnlOf } from './lanes.ts';
import { markPriceAt } from './prices.ts';
import type { DemoAccount } from './trader.ts';
import { type ClosedTrade, closedTrade, type OpenTrade, openTrade, seededTrade } from './trades.ts';

/** An account and the data behind its trading. */
export interface TradingAccount extends DemoAccount {
  /** When the world was seeded, in ms: before it the history applies, after it the lanes. */
  epochMs: number;
  /** Whether the account trades after the epoch. */
  isTrading: boolean;
  /** The positions closed up to the epoch. */
  history(): DemoPosition[];
}

/** The open positions at a moment. @param ms in ms, not before the epoch */
export function openPositionsAt(account: TradingAccount, ms: number): OpenTrade[] {
  const open: OpenTrade[] = [];
  for (const lane of lanesOf(account)) {
    const position = createLanePosition(account, lane, periodAt(lane, ms));
    if (ms < position.openedAt || ms >= position.closedAt) continue;
    open.push(openTrade(position, ms));
  }
  return open;
}

/**
 * The positions closed in a period, both ends included, oldest first: the seeded history up to the epoch and the lanes
 * after it.
 */
export function closedPositionsBetween(account: TradingAccount, fromMs: number, toMs: number): ClosedTrade[] {
  const closed: ClosedTrade[] = [];
  if (fromMs <= account.epochMs)
    for (const position of account.history()) {
      const at = position.closedAt.getTime();
      if (at >= fromMs && at <= toMs) closed.push(seededTrade(position));
    }
  const liveFrom = Math.max(fromMs, account.epochMs + 1);
  for (const lane of lanesOf(account))
    for (let period = periodAt(lane, liveFrom); period <= periodAt(lane, toMs); period++) {
      const position = createLanePosition(account, lane, period);
      if (position.closedAt >= liveFrom && position.closedAt <= toMs)
        closed.push(closedTrade(account, position));
    }
  return closed.sort((a, b) => a.closedAt - b.closedAt);
}

/**
 * Equity in USD: that of the epoch, plus profits and minus fees of later positions. An account that was never read
 * holds nothing.
 */
export function equityAt(account: TradingAccount, ms: number): number {
  let equity = Number(account.equity ?? 0);
  for (const lane of lanesOf(account)) {
    const current = periodAt(lane, ms);
    equity += sumUpTo(account, lane, current) + earnedSinceEpoch(account, lane, current, ms);
  }
  return rounded(equity, USD_DECIMALS);
}

const lanes = new WeakMap<TradingAccount, Lane[]>();

function lanesOf(account: TradingAccount): Lane[] {
  if (!account.isTrading) return [];
  const found = lanes.get(account) ?? createLanes(account);
  lanes.set(account, found);
  return found;
}

/** Sums of a lane by period, so that a year of trading is added up once and not for every request. */
const sums = new WeakMap<Lane, number[]>();

/** The sum of the periods between the epoch and a period. */
function sumUpTo(account: TradingAccount, lane: Lane, period: number): number {
  const first = periodAt(lane, account.epochMs);
  const known = sums.get(lane) ?? [0];
  sums.set(lane, known);
  for (let n = known.length; n <= period - first; n++)
    known.push(
      (known[n - 1] ?? 0) + earnedSinceEpoch(account, lane, first + n - 1, Number.POSITIVE_INFINITY),
    );
  return known[period - first] ?? 0;
}

function earnedSinceEpoch(account: TradingAccount, lane: Lane, period: number, ms: number): number {
  const position = createLanePosition(account, lane, period);
  return earnedBy(position, ms) - earnedBy(position, account.epochMs);
}

/** A position's contribution to the equity up to a moment. */
function earnedBy(position: LanePosition, ms: number): number {
  if (ms < position.openedAt) return 0;
  if (ms >= position.closedAt) return position.grossPnl - position.openFee - position.closeFee;
  const mark = markPriceAt(position.instrument, ms);
  return pnlOf(position.side, position.size, position.entryPrice, mark) - position.openFee;
}
