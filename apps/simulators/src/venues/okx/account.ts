import { decimalText, type OpenTrade, type WorldAccount } from '../../world/index.ts';
import { holdingsAt, liquidationPriceOf } from '../holdings.ts';
import type { VenueRequest } from '../venue.ts';
import { contractsOf, instIdOf } from './contracts.ts';

/** Half of the accounts hold one position per instrument (net), half may hold a long and a short one at once. */
export function isNetMode({ accUid }: WorldAccount): boolean {
  return Number(accUid) % 2 === 0;
}

/** https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-account-configuration */
export function getConfig(account: WorldAccount) {
  const { traits, accUid, accountType } = account;
  return {
    uid: accUid,
    mainUid: traits.mainUid,
    acctLv: '2',
    posMode: isNetMode(account) ? 'net_mode' : 'long_short_mode',
    autoLoan: false,
    greeksType: 'PA',
    level: 'Lv1',
    levelTmp: '',
    label: 'copy trading',
    roleType: '0',
    ip: traits.ipWhitelist.join(','),
    perm: traits.mayWithdraw ? 'read_only,withdraw,trade' : 'read_only,trade',
    kycLv: '2',
    type: accountType === 'master' ? '0' : '1',
    enableSpotBorrow: false,
  };
}

/** https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-balance */
export function getBalance(account: WorldAccount, now: number) {
  const { equity, wallet, unrealizedPnl, margin, available } = holdingsAt(account, now);
  return {
    adjEq: decimalText(equity),
    availEq: decimalText(available),
    totalEq: decimalText(equity),
    isoEq: '0',
    ordFroz: '0',
    imr: decimalText(margin),
    mmr: decimalText(margin / 10),
    upl: decimalText(unrealizedPnl),
    uTime: String(now - 1000),
    details: [
      {
        ccy: 'USDT',
        eq: decimalText(equity),
        eqUsd: decimalText(equity),
        cashBal: decimalText(wallet),
        upl: decimalText(unrealizedPnl),
        availEq: decimalText(available),
        availBal: decimalText(available),
        frozenBal: decimalText(margin),
        disEq: decimalText(equity),
        uTime: String(now - 1000),
      },
    ],
  };
}

/** https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions: sizes in contracts */
export function listPositions({ params }: VenueRequest, account: WorldAccount, now: number) {
  const wanted = params.get('instId')?.split(',');
  const instType = params.get('instType') ?? 'SWAP';
  return holdingsAt(account, now)
    .positions.filter((one) => instType === 'SWAP' && (!wanted || wanted.includes(instIdOf(one.instrument))))
    .map((one) => positionRow(one, account, now));
}

function positionRow(one: OpenTrade, account: WorldAccount, now: number) {
  const contracts = contractsOf(one.instrument, one.contracts);
  const isNet = isNetMode(account);
  const margin = one.notional / one.leverage;
  return {
    instType: 'SWAP',
    instId: instIdOf(one.instrument),
    mgnMode: 'cross',
    posId: one.openId,
    posSide: isNet ? 'net' : one.side,
    pos: decimalText(isNet && one.side === 'short' ? -contracts : contracts),
    posCcy: '',
    availPos: decimalText(contracts),
    avgPx: one.entryPrice,
    markPx: one.markPrice,
    last: one.markPrice,
    lever: String(one.leverage),
    liqPx: decimalText(liquidationPriceOf(one), one.instrument.priceDecimals),
    upl: decimalText(one.unrealizedPnl),
    uplRatio: decimalText(one.unrealizedPnl / margin),
    realizedPnl: decimalText(-one.openFee),
    pnl: '0',
    fee: decimalText(-one.openFee),
    fundingFee: '0',
    liqPenalty: '0',
    imr: decimalText(margin),
    mmr: decimalText(margin / 10),
    margin: '',
    mgnRatio: decimalText(holdingsAt(account, now).equity / (margin / 10), 4),
    notionalUsd: decimalText(one.notional),
    ccy: 'USDT',
    adl: '1',
    tradeId: one.openId.slice(-9),
    cTime: String(one.openedAt),
    uTime: String(one.openedAt),
  };
}
