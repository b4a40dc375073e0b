import {
  type ClosedTrade,
  closedPositionsBetween,
  type OpenTrade,
  openPositionsAt,
  type WorldAccount,
} from '../../world/index.ts';

export interface BinanceFill {
  symbol: string;
  id: number;
  orderId: number;
  isBuy: boolean;
  price: string;
  qty: number;
  decimals: number;
  /** USD, before fees; 0 for an opening fill. */
  realizedPnl: number;
  commission: number;
  time: number;
}

/** The fills of a period, both ends included, oldest first. @param now nothing after it */
export function listFills(
  account: WorldAccount,
  range: { fromMs: number; toMs: number },
  now: number,
): BinanceFill[] {
  const closed = closedPositionsBetween(account, range.fromMs, now);
  const open = openPositionsAt(account, now);
  return [
    ...closed.flatMap((trade) => [openingFill(trade), ...closingFills(trade)]),
    ...open.map((trade) => openingFill(trade)),
  ]
    .filter(({ time }) => time >= range.fromMs && time <= Math.min(range.toMs, now))
    .sort((a, b) => a.time - b.time || a.id - b.id);
}

/** 13 of the order's 15 digits, and one for the part: different from the order's number, and as unique. */
const fillId = (orderId: string, part: number) => Number(`${orderId.slice(2)}${part}`);

function openingFill(trade: OpenTrade | ClosedTrade): BinanceFill {
  return {
    symbol: trade.symbol,
    id: fillId(trade.openId, 0),
    orderId: Number(trade.openId),
    isBuy: trade.side === 'long',
    price: trade.entryPrice,
    qty: Number(trade.contracts),
    decimals: trade.instrument.lotDecimals,
    realizedPnl: 0,
    commission: trade.openFee,
    time: trade.openedAt,
  };
}

/** Every third order is filled in two parts at the same ms, as by two orders of the book. */
function closingFills(trade: ClosedTrade): BinanceFill[] {
  const { instrument, contracts, grossPnl, closeFee, closeId, closedAt } = trade;
  const size = Number(contracts);
  const lots = Math.round(size / instrument.lot);
  const isSplit = lots > 1 && closedAt % 3 === 0;
  const first = isSplit
    ? Number((Math.ceil(lots / 2) * instrument.lot).toFixed(instrument.lotDecimals))
    : size;
  const fill = (part: number, qty: number, realizedPnl: number, commission: number): BinanceFill => ({
    symbol: trade.symbol,
    id: fillId(closeId, part),
    orderId: Number(closeId),
    isBuy: trade.side === 'short',
    price: trade.exitPrice,
    qty,
    decimals: instrument.lotDecimals,
    realizedPnl,
    commission,
    time: closedAt,
  });
  if (!isSplit) return [fill(1, size, grossPnl, closeFee)];
  // The second part gets the rest, so that both together are exactly the whole.
  const share = (value: number) => Number(((value * first) / size).toFixed(8));
  return [
    fill(1, first, share(grossPnl), share(closeFee)),
    fill(2, size - first, grossPnl - share(grossPnl), closeFee - share(closeFee)),
  ];
}
