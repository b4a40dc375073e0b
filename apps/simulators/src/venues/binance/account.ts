import { INSTRUMENTS, type WorldAccount } from '../../world/index.ts';
import { holdingsAt, liquidationPriceOf } from '../holdings.ts';
import type { VenueRequest } from '../venue.ts';
import { dollarsOf, isMultiAssets, listCrossPositions, otherAssetsOf } from './other-assets.ts';

/** Its money is in the portfolio margin account; the futures calls refuse its key. */
export const isPortfolio = ({ traits }: Pick<WorldAccount, 'traits'>): boolean =>
  traits.books === 'portfolio_margin';

/** Amounts always have eight decimals. */
const usd = (value: number) => value.toFixed(8);

/** An asset that no position uses. */
const untouched = (amount: number) => ({
  initialMargin: usd(0),
  maintMargin: usd(0),
  walletBalance: usd(amount),
  unrealizedProfit: usd(0),
  marginBalance: usd(amount),
  positionInitialMargin: usd(0),
  openOrderInitialMargin: usd(0),
  crossWalletBalance: usd(amount),
  crossUnPnl: usd(0),
  availableBalance: usd(amount),
  maxWithdrawAmount: usd(amount),
});

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Account-Config */
export const getAccountConfig = (account: WorldAccount, now: number) => ({
  feeTier: 0,
  canTrade: true,
  canDeposit: true,
  canWithdraw: true,
  dualSidePosition: false,
  updateTime: now - 1000,
  multiAssetsMargin: isMultiAssets(account),
  tradeGroupId: -1,
});

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Account-Information-V3 */
export function getAccount(account: WorldAccount, now: number) {
  const { equity, wallet, unrealizedPnl, margin, available, positions } = holdingsAt(account, now);
  const sums = {
    initialMargin: usd(margin),
    maintMargin: usd(margin / 10),
    walletBalance: usd(wallet),
    unrealizedProfit: usd(unrealizedPnl),
    marginBalance: usd(equity),
    positionInitialMargin: usd(margin),
    openOrderInitialMargin: usd(0),
    crossWalletBalance: usd(wallet),
    crossUnPnl: usd(unrealizedPnl),
    availableBalance: usd(available),
    maxWithdrawAmount: usd(available),
  };
  const others = otherAssetsOf(account);
  // In multi-assets mode the sums are in USD over all assets, otherwise over USDT alone.
  const beside = isMultiAssets(account)
    ? others.reduce((sum, { asset, amount }) => sum + amount * dollarsOf(asset, now), 0)
    : 0;
  return {
    totalInitialMargin: sums.initialMargin,
    totalMaintMargin: sums.maintMargin,
    totalWalletBalance: usd(wallet + beside),
    totalUnrealizedProfit: sums.unrealizedProfit,
    totalMarginBalance: usd(equity + beside),
    totalPositionInitialMargin: sums.positionInitialMargin,
    totalOpenOrderInitialMargin: sums.openOrderInitialMargin,
    totalCrossWalletBalance: sums.crossWalletBalance,
    totalCrossUnPnl: sums.crossUnPnl,
    availableBalance: sums.availableBalance,
    maxWithdrawAmount: sums.maxWithdrawAmount,
    assets: [
      ...(wallet === 0 ? [] : [{ asset: 'USDT', ...sums, updateTime: now - 1000 }]),
      ...others.map(({ asset, amount }) => ({ asset, ...untouched(amount), updateTime: now - 1000 })),
    ],
    positions: positions.map((one) => ({
      symbol: one.symbol,
      positionSide: 'BOTH',
      positionAmt: `${one.side === 'short' ? '-' : ''}${one.contracts}`,
      unrealizedProfit: usd(one.unrealizedPnl),
      isolatedMargin: usd(0),
      notional: usd(one.side === 'short' ? -one.notional : one.notional),
      isolatedWallet: '0',
      initialMargin: usd(one.notional / one.leverage),
      maintMargin: usd(one.notional / one.leverage / 10),
      updateTime: one.openedAt,
    })),
  };
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Futures-Account-Balance-V3: assets that are held */
export function listBalances(account: WorldAccount, now: number) {
  return listAllBalances(account, now).filter(({ balance }) => Number(balance) !== 0);
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Futures-Account-Balance-V2: every asset */
export function listAllBalances(account: WorldAccount, now: number) {
  const { wallet, unrealizedPnl, available } = holdingsAt(account, now);
  return [
    {
      // The only id of an account in this API.
      accountAlias: account.accUid,
      asset: 'USDT',
      balance: usd(wallet),
      crossWalletBalance: usd(wallet),
      crossUnPnl: usd(unrealizedPnl),
      availableBalance: usd(available),
      maxWithdrawAmount: usd(available),
      marginAvailable: true,
      updateTime: now - 1000,
    },
  ];
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/trade/rest-api/Position-Information-V3: no leverage */
export function listPositionRisk({ params }: VenueRequest, account: WorldAccount, now: number) {
  const symbol = params.get('symbol');
  const rows = holdingsAt(account, now).positions.map((one) => ({
    symbol: one.symbol,
    positionSide: 'BOTH',
    positionAmt: `${one.side === 'short' ? '-' : ''}${one.contracts}`,
    entryPrice: one.entryPrice,
    breakEvenPrice: one.entryPrice,
    markPrice: usd(Number(one.markPrice)),
    unRealizedProfit: usd(one.unrealizedPnl),
    liquidationPrice: usd(liquidationPriceOf(one)),
    isolatedMargin: '0',
    notional: usd(one.side === 'short' ? -one.notional : one.notional),
    marginAsset: 'USDT',
    isolatedWallet: '0',
    initialMargin: usd(one.notional / one.leverage),
    maintMargin: usd(one.notional / one.leverage / 10),
    positionInitialMargin: usd(one.notional / one.leverage),
    openOrderInitialMargin: '0',
    adl: 2,
    bidNotional: '0',
    askNotional: '0',
    updateTime: one.openedAt,
  }));
  return [...rows, ...listCrossPositions(account)].filter((one) => !symbol || one.symbol === symbol);
}

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Symbol-Config */
export function listSymbolConfig({ params }: VenueRequest, account: WorldAccount, now: number) {
  const { positions } = holdingsAt(account, now);
  const symbol = params.get('symbol');
  return INSTRUMENTS.binance
    .filter((one) => !symbol || one.symbol === symbol)
    .map((instrument) => ({
      symbol: instrument.symbol,
      marginType: 'CROSSED',
      isAutoAddMargin: false,
      leverage: positions.find((one) => one.symbol === instrument.symbol)?.leverage ?? 20,
      maxNotionalValue: '1000000',
    }));
}

/**
 * https://developers.binance.com/docs/wallet/account/api-key-permission: says that there is a list, never its addresses
 */
export function getApiRestrictions({ traits, epochMs }: WorldAccount) {
  return {
    ipRestrict: traits.ipWhitelist.length > 0,
    createTime: epochMs - 200 * 86_400_000,
    enableReading: true,
    enableWithdrawals: traits.mayWithdraw,
    enableInternalTransfer: false,
    enableMargin: false,
    enableFutures: traits.mayReadFutures,
    permitsUniversalTransfer: false,
    enableVanillaOptions: false,
    enableFixApiTrade: false,
    enableFixReadOnly: false,
    enableSpotAndMarginTrading: false,
    enablePortfolioMarginTrading: isPortfolio({ traits }),
  };
}
