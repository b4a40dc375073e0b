import { INSTRUMENTS, type Instrument, markPriceAt } from '../../world/index.ts';

/** XBTUSDTM: the venue writes XBT for BTC, and an M for perpetual. */
export const symbolOf = ({ base }: Instrument) => `${baseOf(base)}USDTM`;
const baseOf = (base: string) => (base === 'BTC' ? 'XBT' : base);

/** Sizes are in whole contracts of a fixed number of units (multiplier). */
export function contractsOf({ contractSize }: Instrument, baseUnits: string): number {
  return Math.round(Number(baseUnits) / contractSize);
}

/** https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-mark-price; null: no such contract */
export function findMarkPrice(symbol: string, now: number) {
  const instrument = INSTRUMENTS.kucoin.find((one) => symbolOf(one) === symbol);
  if (!instrument) return null;
  const value = markPriceAt(instrument, now);
  return { symbol, granularity: 1000, timePoint: now, value, indexPrice: value };
}

/** https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols */
export const listContracts = (now: number) => [...listLinear(now), ...listInverse(now)];

function listLinear(now: number) {
  return INSTRUMENTS.kucoin.map((one) => ({
    symbol: symbolOf(one),
    rootSymbol: 'USDT',
    type: 'FFWCSX',
    firstOpenDate: 1_585_555_200_000,
    expireDate: null,
    settleDate: null,
    baseCurrency: baseOf(one.base),
    quoteCurrency: 'USDT',
    settleCurrency: 'USDT',
    maxOrderQty: 1_000_000,
    lotSize: 1,
    tickSize: 10 ** -one.priceDecimals,
    multiplier: one.contractSize,
    maxLeverage: one.maxLeverage,
    isInverse: false,
    isQuanto: false,
    makerFeeRate: 0.0002,
    takerFeeRate: 0.0006,
    status: 'Open',
    markPrice: markPriceAt(one, now),
    indexPrice: markPriceAt(one, now),
    lastTradePrice: markPriceAt(one, now),
  }));
}

/** Counted in USD, with a negative multiplier, and settled in their coin. */
function listInverse(now: number) {
  return listLinear(now)
    .filter(({ baseCurrency }) => baseCurrency === 'XBT' || baseCurrency === 'ETH')
    .map((one) => ({
      ...one,
      symbol: `${one.baseCurrency}USDM`,
      rootSymbol: one.baseCurrency,
      quoteCurrency: 'USD',
      settleCurrency: one.baseCurrency,
      multiplier: -1,
      isInverse: true,
    }));
}
