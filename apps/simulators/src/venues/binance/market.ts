import { INSTRUMENTS } from '../../world/index.ts';

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
