import type { Exchange } from '@copydesk/domain/catalogue';

export interface Instrument {
  base: string;
  /** Base and quote in our database's form: BTCUSDT, and BTCUSDC on hyperliquid. */
  symbol: string;
  /** The price that it moves around, in USD. */
  anchorPrice: number;
  priceDecimals: number;
  /** Smallest step of a size, in units of the base asset. */
  lot: number;
  lotDecimals: number;
  /** Units of the base asset in one of the venue's contracts; 1 where sizes are in the base asset. */
  contractSize: number;
  maxLeverage: number;
}

/** base, price, decimals of the price, greatest leverage */
const ASSETS = [
  ['BTC', 64_000, 1, 100],
  ['ETH', 3_100, 2, 100],
  ['SOL', 150, 2, 50],
  ['XRP', 0.6, 4, 50],
  ['DOGE', 0.14, 5, 50],
  ['LINK', 15, 3, 50],
] as const;

/** Decimals of a size in the base asset, in the order of ASSETS, from the venues' instrument lists. */
const LOT_DECIMALS: Record<Exchange, readonly number[]> = {
  bybit: [3, 2, 1, 0, 0, 1],
  binance: [3, 3, 2, 1, 0, 2],
  // 0.01 contracts at least
  okx: [4, 3, 2, 0, -1, 2],
  // whole contracts
  kucoin: [3, 2, 1, -1, -2, 1],
  hyperliquid: [5, 4, 2, 0, 0, 1],
};

/** okx: ctVal; kucoin: multiplier. */
const CONTRACT_SIZES: Partial<Record<Exchange, readonly number[]>> = {
  okx: [0.01, 0.1, 1, 100, 1000, 1],
  kucoin: [0.001, 0.01, 0.1, 10, 100, 0.1],
};

/**
 * Hyperliquid uses five significant figures:
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/tick-and-lot-size
 */
const HYPERLIQUID_PRICE_DECIMALS = [0, 1, 2, 4, 5, 3];

function createInstruments(exchange: Exchange): Instrument[] {
  return ASSETS.map(([base, anchorPrice, priceDecimals, maxLeverage], nth) => {
    const places = LOT_DECIMALS[exchange][nth] ?? 0;
    return {
      base,
      symbol: `${base}${exchange === 'hyperliquid' ? 'USDC' : 'USDT'}`,
      anchorPrice,
      priceDecimals:
        exchange === 'hyperliquid' ? (HYPERLIQUID_PRICE_DECIMALS[nth] ?? priceDecimals) : priceDecimals,
      lot: Number(`1e${-places}`),
      lotDecimals: Math.max(0, places),
      contractSize: CONTRACT_SIZES[exchange]?.[nth] ?? 1,
      maxLeverage,
    };
  });
}

/** The instruments of the demo world, with the steps and contracts of each venue. */
export const INSTRUMENTS: Record<Exchange, Instrument[]> = {
  bybit: createInstruments('bybit'),
  binance: createInstruments('binance'),
  okx: createInstruments('okx'),
  kucoin: createInstruments('kucoin'),
  hyperliquid: createInstruments('hyperliquid'),
};

export function getInstrument(exchange: Exchange, symbol: string): Instrument {
  const found = INSTRUMENTS[exchange].find((instrument) => instrument.symbol === symbol);
  if (!found) throw new Error(`${exchange} has no ${symbol}`);
  return found;
}
