import { FEE_RATE, rounded, USD_DECIMALS } from './amounts.ts';
import { INSTRUMENTS, type Instrument } from './instruments.ts';
import { markPriceAt } from './prices.ts';
import { createRandom, mixSeed, seedOf } from './random.ts';
import type { DemoAccount } from './trader.ts';
import { createVenueIds, type VenueIds } from './venue-ids.ts';

/** A trading pattern of an account: in each of its periods it opens and closes one position. */
export interface Lane {
  nth: number;
  seed: number;
  periodMs: number;
  offsetMs: number;
  instruments: Instrument[];
}

/** A position of a lane, with its future end. */
export interface LanePosition extends VenueIds {
  instrument: Instrument;
  side: 'long' | 'short';
  leverage: number;
  /** Units of the base asset. */
  size: number;
  entryPrice: number;
  exitPrice: number;
  /** USD, before fees. */
  grossPnl: number;
  openFee: number;
  closeFee: number;
  openedAt: number;
  closedAt: number;
}

const LANES_AT_MOST = 4;

/** The 1 to 4 lanes of an account. No two share an asset: most venues hold one position an asset. */
export function createLanes(account: DemoAccount): Lane[] {
  if (!(Number(account.equity) > 0)) return [];
  const accountSeed = seedOf(account.id);
  const random = createRandom(mixSeed(accountSeed, 7));
  const count = random.integer(1, LANES_AT_MOST);
  const first = random.integer(0, 5);
  return Array.from({ length: count }, (_, nth) => {
    const periodMs = random.integer(2 * 60, 24 * 60) * 60_000;
    return {
      nth,
      seed: mixSeed(accountSeed, 100 + nth),
      periodMs,
      offsetMs: random.integer(0, periodMs),
      instruments: INSTRUMENTS[account.exchange].filter((_, asset) => (asset + first) % count === nth),
    };
  });
}

/** The period of a lane at a moment. */
export function periodAt(lane: Lane, ms: number): number {
  return Math.floor((ms - lane.offsetMs) / lane.periodMs);
}

/**
 * The position of one period: opened in its first third, closed in its second half. Its size depends on the account's
 * first equity, so no earlier position is needed. Traders are right more often than not: 57 % of the positions are on
 * the side of the coming price move.
 */
export function createLanePosition(account: DemoAccount, lane: Lane, period: number): LanePosition {
  const random = createRandom(mixSeed(lane.seed, period));
  const startMs = lane.offsetMs + period * lane.periodMs;
  const openedAt = startMs + Math.floor(random.next() * lane.periodMs * 0.3);
  const closedAt = startMs + Math.floor(lane.periodMs * (0.5 + random.next() * 0.45));
  const instrument = random.pick(lane.instruments);
  const entryPrice = markPriceAt(instrument, openedAt);
  const atClose = markPriceAt(instrument, closedAt);
  // Never exactly the entry: on binance only the profit distinguishes a closing fill from an opening one.
  const exitPrice =
    atClose === entryPrice
      ? rounded(atClose + 10 ** -instrument.priceDecimals, instrument.priceDecimals)
      : atClose;
  const leverage = random.pick([2, 3, 5, 10, 20]);
  const notional = Number(account.equity) * (0.15 + random.next() * 0.6);
  const lots = Math.max(1, Math.round(notional / entryPrice / instrument.lot));
  const size = rounded(lots * instrument.lot, instrument.lotDecimals);
  const isWinner = random.chance(0.57);
  const side = exitPrice >= entryPrice === isWinner ? 'long' : 'short';
  const nth = period * LANES_AT_MOST + lane.nth;
  return {
    ...createVenueIds(account.exchange, seedOf(account.id), nth, openedAt, closedAt),
    instrument,
    side,
    leverage,
    size,
    entryPrice,
    exitPrice,
    grossPnl: pnlOf(side, size, entryPrice, exitPrice),
    openFee: rounded(size * entryPrice * FEE_RATE, USD_DECIMALS),
    closeFee: rounded(size * exitPrice * FEE_RATE, USD_DECIMALS),
    openedAt,
    closedAt,
  };
}

/** USD, before fees. */
export function pnlOf(side: 'long' | 'short', size: number, entryPrice: number, price: number): number {
  return rounded((side === 'long' ? 1 : -1) * (price - entryPrice) * size, USD_DECIMALS);
}
