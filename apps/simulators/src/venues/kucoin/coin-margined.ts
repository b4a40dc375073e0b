import { priceAt, type WorldAccount } from '../../world/index.ts';

const HELD: Record<string, number> = { ETH: 2.5, XBT: 0.01 };

const holdsCoins = ({ traits }: WorldAccount) => traits.books === 'other_coins';

/** Equity of an account in a coin. */
export const coinsOf = (account: WorldAccount, currency: string): number =>
  holdsCoins(account) ? (HELD[currency] ?? 0) : 0;

/** https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-position-list: a long whose profit is in ether */
export function listCoinPositions(account: WorldAccount, now: number) {
  if (!holdsCoins(account)) return [];
  const markPrice = Number(priceAt('ETH', now).toFixed(2));
  return [
    {
      id: '900000000000000001',
      symbol: 'ETHUSDM',
      crossMode: true,
      openingTimestamp: account.epochMs,
      currentTimestamp: now,
      currentQty: 3_000,
      isOpen: true,
      markPrice,
      realisedPnl: 0,
      unrealisedPnl: 0.05,
      avgEntryPrice: 2_500,
      liquidationPrice: 0,
      bankruptPrice: 0,
      settleCurrency: 'ETH',
      isInverse: true,
      marginMode: 'CROSS',
      positionSide: 'BOTH',
      leverage: 3,
    },
  ];
}

/**
 * https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-positions-history: a position in ether closed an
 * hour after the epoch, and a liquidated one in bitcoin, which has no prices.
 */
export function listCoinClosed(account: WorldAccount) {
  if (!holdsCoins(account)) return [];
  const row = {
    userId: account.accUid,
    leverage: '3.0',
    roe: '0.1',
    realisedGrossCost: '0',
    withdrawPnl: '0.0',
    tradeFee: '0',
    fundingFee: '0.0',
    openTime: account.epochMs,
    marginMode: 'CROSS',
    positionSide: 'BOTH',
  };
  return [
    {
      ...row,
      closeId: '900000000000000002',
      symbol: 'ETHUSDM',
      settleCurrency: 'ETH',
      type: 'CLOSE_LONG',
      side: 'LONG',
      pnl: '0.5',
      closeTime: account.epochMs + 3_600_000,
      openPrice: '2500',
      closePrice: '3000',
    },
    {
      ...row,
      closeId: '900000000000000003',
      symbol: 'XBTUSDM',
      settleCurrency: 'XBT',
      type: 'LIQUID_LONG',
      side: null,
      pnl: '-0.1',
      closeTime: account.epochMs + 3_600_001,
      openPrice: '0',
      closePrice: '0',
    },
  ];
}
