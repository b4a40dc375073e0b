import { INSTRUMENTS, markPriceAt } from '../../world/index.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Exchange-Information */
export function getExchangeInfo(now: number) {
  return {
    timezone: 'UTC',
    serverTime: now,
    futuresType: 'U_MARGINED',
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
      { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
    ],
    exchangeFilters: [],
    assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
    symbols: INSTRUMENTS.binance.map((one) => ({
      symbol: one.symbol,
      pair: one.symbol,
      contractType: 'PERPETUAL',
      deliveryDate: 4_133_404_800_000,
      onboardDate: 1_569_398_400_000,
      status: 'TRADING',
      baseAsset: one.base,
      quoteAsset: 'USDT',
      marginAsset: 'USDT',
      pricePrecision: one.priceDecimals,
      quantityPrecision: one.lotDecimals,
      baseAssetPrecision: 8,
      quotePrecision: 8,
      underlyingType: 'COIN',
      filters: [
        { filterType: 'PRICE_FILTER', tickSize: (10 ** -one.priceDecimals).toFixed(one.priceDecimals) },
        {
          filterType: 'LOT_SIZE',
          stepSize: one.lot.toFixed(one.lotDecimals),
          minQty: one.lot.toFixed(one.lotDecimals),
        },
      ],
    })),
  };
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Mark-Price: one symbol or all */
export function getPremiumIndex({ params }: VenueRequest, now: number) {
  const symbol = params.get('symbol');
  const rows = INSTRUMENTS.binance.map((one) => {
    const price = markPriceAt(one, now).toFixed(8);
    return {
      symbol: one.symbol,
      markPrice: price,
      indexPrice: price,
      estimatedSettlePrice: price,
      lastFundingRate: '0.00010000',
      interestRate: '0.00010000',
      nextFundingTime: now + 3_600_000,
      time: now,
    };
  });
  if (symbol === null) return rows;
  const found = rows.find((row) => row.symbol === symbol);
  if (!found) throw refuse(-1121);
  return found;
}
