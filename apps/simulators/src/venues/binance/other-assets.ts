import { priceAt, type WorldAccount } from '../../world/index.ts';

/** A contract quoted and settled in bitcoin. */
export const CROSS_SYMBOL = 'ETHBTC';

interface Asset {
  asset: string;
  amount: number;
}

const HELD: Asset[] = [
  { asset: 'USDC', amount: 1_500.5 },
  { asset: 'BTC', amount: 0.02 },
];

const holdsOthers = ({ traits }: WorldAccount) =>
  traits.books === 'single_asset' || traits.books === 'multi_assets';

export const isMultiAssets = ({ traits }: WorldAccount): boolean => traits.books === 'multi_assets';

/** An account's assets besides USDT. */
export const otherAssetsOf = (account: WorldAccount): Asset[] => (holdsOthers(account) ? HELD : []);

/** The value of one unit of an asset in multi-assets mode. */
export const dollarsOf = (asset: string, now: number): number => (asset === 'BTC' ? priceAt('BTC', now) : 1);

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/trade/rest-api/Position-Information-V3 */
export function listCrossPositions(account: WorldAccount) {
  if (!holdsOthers(account)) return [];
  return [
    {
      symbol: CROSS_SYMBOL,
      positionSide: 'BOTH',
      positionAmt: '2.000',
      entryPrice: '0.048',
      breakEvenPrice: '0.048',
      markPrice: '0.05000000',
      unRealizedProfit: '0.00400000',
      liquidationPrice: '0',
      isolatedMargin: '0',
      notional: '0.10000000',
      marginAsset: 'BTC',
      isolatedWallet: '0',
      initialMargin: '0.01000000',
      maintMargin: '0.00100000',
      positionInitialMargin: '0.01000000',
      openOrderInitialMargin: '0',
      adl: 2,
      bidNotional: '0',
      askNotional: '0',
      updateTime: account.epochMs,
    },
  ];
}

/** Part of the position is sold an hour after the epoch. */
const soldAt = ({ epochMs }: WorldAccount) => epochMs + 3_600_000;
const wasSold = (account: WorldAccount, fromMs: number, toMs: number) =>
  holdsOthers(account) && soldAt(account) >= fromMs && soldAt(account) <= toMs;

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Get-Income-History: in the margin asset */
export function listCrossIncome(account: WorldAccount, fromMs: number, toMs: number) {
  if (!wasSold(account, fromMs, toMs)) return [];
  return [
    {
      symbol: CROSS_SYMBOL,
      incomeType: 'REALIZED_PNL',
      income: '0.00100000',
      asset: 'BTC',
      time: soldAt(account),
      info: '77',
      tranId: 77,
      tradeId: '77',
    },
  ];
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/trade/rest-api/Account-Trade-List: without the asset */
export function listCrossTrades(account: WorldAccount, fromMs: number, toMs: number) {
  if (!wasSold(account, fromMs, toMs)) return [];
  return [
    {
      buyer: false,
      commission: '0.00002000',
      commissionAsset: 'BTC',
      id: 77,
      maker: true,
      orderId: 7_700,
      price: '0.049',
      qty: '1.000',
      quoteQty: '0.04900000',
      realizedPnl: '0.00100000',
      side: 'SELL',
      positionSide: 'BOTH',
      symbol: CROSS_SYMBOL,
      time: soldAt(account),
    },
  ];
}
