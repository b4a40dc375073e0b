import { decimalText, FEES_INCLUDED, rounded, USD_DECIMALS } from './amounts.ts';
import type { DemoPosition } from './history.ts';
import { getInstrument, type Instrument } from './instruments.ts';
import { type LanePosition, pnlOf } from './lanes.ts';
import { markPriceAt } from './prices.ts';
import type { DemoAccount } from './trader.ts';
import { type VenueIds, venueIdOf } from './venue-ids.ts';

interface Trade extends VenueIds {
  instrument: Instrument;
  /** Base and quote: BTCUSDT. */
  symbol: string;
  side: 'long' | 'short';
  leverage: number;
  /** Units of the base asset, as a decimal number. */
  contracts: string;
  entryPrice: string;
  /** USD */
  openFee: number;
  openedAt: number;
}

export interface OpenTrade extends Trade {
  markPrice: string;
  /** USD, at the mark price and before fees. */
  unrealizedPnl: number;
  /** Contracts at the mark price, in USD. */
  notional: number;
}

export interface ClosedTrade extends Trade {
  /** The venue's id for it, as our readers derive it. */
  venueId: string;
  exitPrice: string;
  /** USD, before fees. */
  grossPnl: number;
  closeFee: number;
  /** USD, the venue's figure: after fees where FEES_INCLUDED is true. */
  closedPnl: number;
  closedAt: number;
}

/** A position of a lane while it is open. */
export function openTrade(position: LanePosition, ms: number): OpenTrade {
  const mark = markPriceAt(position.instrument, ms);
  return {
    ...tradeOf(position),
    markPrice: decimalText(mark),
    unrealizedPnl: pnlOf(position.side, position.size, position.entryPrice, mark),
    notional: rounded(position.size * mark, USD_DECIMALS),
  };
}

function tradeOf(position: LanePosition): Trade {
  const { instrument, openId, closeId, side, leverage, openFee, openedAt } = position;
  return {
    instrument,
    symbol: instrument.symbol,
    openId,
    closeId,
    side,
    leverage,
    contracts: decimalText(position.size),
    entryPrice: decimalText(position.entryPrice),
    openFee,
    openedAt,
  };
}

/** A position of a lane after it was closed. */
export function closedTrade({ exchange }: DemoAccount, position: LanePosition): ClosedTrade {
  const { instrument, grossPnl, openFee, closeFee, closedAt } = position;
  return {
    ...tradeOf(position),
    venueId: venueIdOf(exchange, position, instrument.symbol, closedAt),
    exitPrice: decimalText(position.exitPrice),
    grossPnl,
    closeFee,
    closedPnl: FEES_INCLUDED[exchange] ? rounded(grossPnl - openFee - closeFee, USD_DECIMALS) : grossPnl,
    closedAt,
  };
}

/** A position from before the epoch. */
export function seededTrade(position: DemoPosition): ClosedTrade {
  const { account, pnlCents, openFeeCents, closeFeeCents } = position;
  const feeCents = FEES_INCLUDED[account.exchange] ? openFeeCents + closeFeeCents : 0;
  return {
    instrument: getInstrument(account.exchange, position.symbol),
    symbol: position.symbol,
    openId: position.openId,
    closeId: position.closeId,
    venueId: position.venueId,
    side: position.side,
    leverage: position.leverage,
    contracts: decimalText(Number(position.contracts)),
    entryPrice: decimalText(Number(position.entryPrice)),
    exitPrice: decimalText(Number(position.exitPrice)),
    grossPnl: (pnlCents + feeCents) / 100,
    openFee: openFeeCents / 100,
    closeFee: closeFeeCents / 100,
    closedPnl: pnlCents / 100,
    openedAt: position.openedAt.getTime(),
    closedAt: position.closedAt.getTime(),
  };
}
