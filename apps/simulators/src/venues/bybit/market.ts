import { INSTRUMENTS } from '../../world/index.ts';
import type { VenueRequest } from '../venue.ts';
import { INVERSE_COIN } from './account.ts';

/** https://bybit-exchange.github.io/docs/v5/market/time */
export function getTime(now: number) {
  return { timeSecond: String(Math.floor(now / 1000)), timeNano: `${now}000000` };
}

/** https://bybit-exchange.github.io/docs/v5/market/instrument */
export function listInstruments({ params }: VenueRequest) {
  const symbol = params.get('symbol');
  const category = params.get('category');
  const found = INSTRUMENTS.bybit.filter(
    (one) => category === 'linear' && (!symbol || one.symbol === symbol),
  );
  return {
    category,
    list: found.map((one) => ({
      symbol: one.symbol,
      contractType: 'LinearPerpetual',
      status: 'Trading',
      baseCoin: one.base,
      quoteCoin: 'USDT',
      settleCoin: 'USDT',
      launchTime: '1585526400000',
      deliveryTime: '0',
      priceScale: String(one.priceDecimals),
      leverageFilter: { minLeverage: '1', maxLeverage: `${one.maxLeverage}.00`, leverageStep: '0.01' },
      priceFilter: { tickSize: (10 ** -one.priceDecimals).toFixed(one.priceDecimals) },
      lotSizeFilter: {
        qtyStep: one.lot.toFixed(one.lotDecimals),
        minOrderQty: one.lot.toFixed(one.lotDecimals),
        minNotionalValue: '5',
      },
      unifiedMarginTrade: true,
    })),
    nextPageCursor: '',
  };
}

/** https://bybit-exchange.github.io/docs/v5/market/tickers: of the one inverse contract that an account here holds */
export function listTickers({ params }: VenueRequest) {
  const symbol = `${INVERSE_COIN.coin}USD`;
  const isListed = params.get('category') === 'inverse' && params.get('symbol') === symbol;
  const markPrice = String(INVERSE_COIN.price);
  return { category: params.get('category'), list: isListed ? [{ symbol, markPrice }] : [] };
}
