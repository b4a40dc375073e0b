import { INSTRUMENTS, markPriceAt } from '../world/index.ts';
import { createRandom, mixSeed, seedOf } from '../world/random.ts';
import { cutToAccuracy, logChange } from './pool-money.ts';
import type { PoolState, Trading } from './pool-state.ts';

/** The most trades that are made up for after a pause of the program; older ones never happened. */
const MOST_AT_ONCE = 500;
const FEE_BPS = 2n;
/** A trade wins or loses this much of the wallet, in hundredths of a percent; on average it wins a little. */
const RESULT_BPS = { from: -60, to: 80 };

/** The instrument, side and result of a pool's trade: the same for the same number, always. */
function planTrade({ uid }: PoolState, nth: number) {
  const random = createRandom(mixSeed(seedOf(`pool ${uid}`), nth));
  return {
    orderId: random.uuid(),
    instrument: random.pick(INSTRUMENTS.bybit),
    side: random.chance(0.5) ? ('Buy' as const) : ('Sell' as const),
    resultBps: BigInt(random.integer(RESULT_BPS.from, RESULT_BPS.to)),
  };
}

/** Closes the open position and books its result and fees. */
function closeTrade(pool: PoolState, openedAt: number, closedAt: number): void {
  const { orderId, instrument, side, resultBps } = planTrade(pool, pool.trades);
  const stake = pool.unified - pool.bonus;
  const gross = cutToAccuracy((stake * resultBps) / 10_000n);
  const fee = cutToAccuracy((stake * FEE_BPS) / 10_000n);
  logChange(pool, { type: 'TRADE', fee, at: openedAt });
  logChange(pool, { type: 'TRADE', cashFlow: gross, fee, at: closedAt });
  pool.closed.push({
    orderId,
    symbol: instrument.symbol,
    // The row has the side of the order that closed the position.
    side: side === 'Buy' ? 'Sell' : 'Buy',
    size: instrument.lot.toFixed(instrument.lotDecimals),
    entryPrice: String(markPriceAt(instrument, openedAt)),
    exitPrice: String(markPriceAt(instrument, closedAt)),
    pnl: gross - 2n * fee,
    openFee: fee,
    closeFee: fee,
    openedAt,
    closedAt,
  });
  pool.trades += 1;
  pool.positions = [];
}

function openTrade(pool: PoolState, at: number): void {
  const { instrument, side } = planTrade(pool, pool.trades);
  pool.positions = [
    {
      category: 'linear',
      settleCoin: 'USDT',
      symbol: instrument.symbol,
      side,
      size: instrument.lot.toFixed(instrument.lotDecimals),
      price: String(markPriceAt(instrument, at)),
      openedAt: at,
    },
  ];
}

/** The part of a period in which a position is open. In the rest a harvest can start. */
const OPEN_PART = 5;
const openMsOf = ({ everyMs, openMs }: Pick<Trading, 'everyMs' | 'openMs'>) =>
  openMs ?? Math.ceil(everyMs / OPEN_PART);

/** How often a pool trades, and how long each position is open: a fifth of the period without `openMs`. */
export type TradingPace = Pick<Trading, 'everyMs' | 'openMs'>;

/** Begins to trade: one position in each period, at its end. */
export function startTrading(pool: PoolState, pace: TradingPace, at: number): void {
  if (pool.trading) return;
  pool.trading = { ...pace, openedAt: at + pace.everyMs - openMsOf(pace) };
}

/** The trades up to now. Nothing happens between two looks at an account, so each look makes up for them. */
export function catchUp(pool: PoolState, at: number): void {
  const { trading } = pool;
  if (!trading) return;
  const due = Math.floor((at - trading.openedAt) / trading.everyMs);
  if (due > MOST_AT_ONCE) trading.openedAt += (due - MOST_AT_ONCE) * trading.everyMs;
  while (at >= trading.openedAt) {
    if (pool.positions.length === 0) openTrade(pool, trading.openedAt);
    const closedAt = trading.openedAt + openMsOf(trading);
    if (at < closedAt) return;
    closeTrade(pool, trading.openedAt, closedAt);
    trading.openedAt += trading.everyMs;
  }
}

/** Ends trading and closes the open position. */
export function stopTrading(pool: PoolState, at: number): void {
  catchUp(pool, at);
  if (!pool.trading) return;
  if (pool.positions.length > 0) closeTrade(pool, pool.trading.openedAt, at);
  pool.trading = null;
}
