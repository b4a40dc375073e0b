import { decimalText, type WorldAccount } from '../../world/index.ts';
import { holdingsAt, liquidationPriceOf } from '../holdings.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';
import { coinsOf, listCoinPositions } from './coin-margined.ts';
import { contractsOf, symbolOf } from './contracts.ts';

const SETTLE_CURRENCIES = ['XBT', 'USDT', 'USDC', 'ETH', 'SOL', 'XRP', 'DOT'];

/** Sent as a JSON number. */
const number = (value: number) => Number(decimalText(value));

/** Every fourth account holds a fifth of its first equity in USDC. */
function usdcOf({ accUid, equity }: WorldAccount): number {
  return Number(accUid) % 4 === 0 ? number(Math.round(Number(equity ?? 0) * 20) / 100) : 0;
}

/** A unified account has its money outside the classic futures account, which is empty. */
const isUnified = ({ traits }: WorldAccount): boolean => traits.books === 'unified';

/** https://www.kucoin.com/docs-new/rest/ua/get-account-mode */
export const getAccountMode = (account: WorldAccount) => ({
  selfAccountMode: isUnified(account) ? 'UNIFIED' : 'CLASSIC',
  unifiedSubAccount: [],
  classicSubAccount: [],
});

/**
 * https://www.kucoin.com/docs-new/rest/account-info/account-funding/get-account-futures: one settle currency, XBT by
 * default
 */
export function getAccountOverview({ params }: VenueRequest, account: WorldAccount, now: number) {
  const currency = params.get('currency') ?? 'XBT';
  if (!SETTLE_CURRENCIES.includes(currency)) throw refuse(400100, 'currency');
  const { equity, unrealizedPnl, margin } = holdingsAt(account, now);
  const usdc = usdcOf(account);
  const isUsdt = currency === 'USDT';
  const dollars = isUsdt ? equity - usdc : currency === 'USDC' ? usdc : 0;
  const held = isUnified(account) ? 0 : dollars + coinsOf(account, currency);
  const floating = isUsdt && !isUnified(account) ? unrealizedPnl : 0;
  const bound = isUsdt && !isUnified(account) ? margin : 0;
  return {
    currency,
    accountEquity: number(held),
    unrealisedPNL: number(floating),
    marginBalance: number(held - floating),
    positionMargin: number(bound),
    orderMargin: 0,
    frozenFunds: 0,
    availableBalance: number(Math.max(0, held - bound)),
    riskRatio: number(held > 0 ? bound / 10 / held : 0),
    maxWithdrawAmount: number(Math.max(0, held - bound)),
  };
}

/** https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-position-list: numbers, sizes in contracts */
export function listPositions({ params }: VenueRequest, account: WorldAccount, now: number) {
  const currency = params.get('currency');
  if (isUnified(account)) return [];
  const rows = holdingsAt(account, now).positions.map((one) => {
    const direction = one.side === 'long' ? 1 : -1;
    const cost = Number(one.entryPrice) * Number(one.contracts);
    const margin = one.notional / one.leverage;
    return {
      id: one.openId,
      symbol: symbolOf(one.instrument),
      crossMode: true,
      delevPercentage: 0.5,
      openingTimestamp: one.openedAt,
      currentTimestamp: now,
      currentQty: direction * contractsOf(one.instrument, one.contracts),
      currentCost: number(direction * cost),
      currentComm: number(one.openFee),
      unrealisedCost: number(direction * cost),
      realisedGrossCost: 0,
      realisedCost: number(one.openFee),
      isOpen: true,
      markPrice: Number(one.markPrice),
      markValue: number(direction * one.notional),
      posCost: number(direction * cost),
      posInit: number(margin),
      posMargin: number(margin),
      realisedGrossPnl: 0,
      realisedPnl: number(-one.openFee),
      unrealisedPnl: number(one.unrealizedPnl),
      unrealisedPnlPcnt: Number((one.unrealizedPnl / cost).toFixed(4)),
      unrealisedRoePcnt: Number((one.unrealizedPnl / margin).toFixed(4)),
      avgEntryPrice: Number(one.entryPrice),
      liquidationPrice: Number(liquidationPriceOf(one).toFixed(one.instrument.priceDecimals)),
      bankruptPrice: 0,
      settleCurrency: 'USDT',
      isInverse: false,
      maintainMargin: 0.004,
      marginMode: 'CROSS',
      positionSide: 'BOTH',
      leverage: one.leverage,
    };
  });
  return [...rows, ...listCoinPositions(account, now)].filter(
    ({ settleCurrency }) => currency === null || settleCurrency === currency,
  );
}

/** https://www.kucoin.com/docs-new/rest/account-info/account-funding/get-apikey-info: on the spot host, with the same signature */
export function getApiKeyInfo(account: WorldAccount, apiKey: string) {
  const { traits, accountType, accUid, epochMs } = account;
  const isMaster = accountType === 'master';
  return {
    remark: 'copy trading',
    apiKey,
    apiVersion: 3,
    permission: [
      'General',
      ...(traits.mayReadFutures ? ['Futures'] : []),
      ...(traits.mayWithdraw ? ['Transfer', 'Withdrawal'] : []),
    ].join(','),
    ...(traits.ipWhitelist.length > 0 && { ipWhitelist: traits.ipWhitelist.join(',') }),
    createdAt: epochMs - 200 * 86_400_000,
    uid: Number(accUid),
    isMaster,
    ...(!isMaster && { subName: `sub${accUid}` }),
  };
}
