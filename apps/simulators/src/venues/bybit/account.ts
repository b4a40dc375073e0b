import { decimalText, type WorldAccount } from '../../world/index.ts';
import { holdingsAt } from '../holdings.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';
import { keyDate, keyDaysLeft, keyEnd } from './key-dates.ts';

/** https://bybit-exchange.github.io/docs/v5/acct-mode: derivatives, spot and funding are separate. */
export const isClassic = ({ traits }: WorldAccount): boolean => traits.books === 'classic';

/** An older unified account, which has a wallet for inverse contracts beside the unified one. */
const isApart = ({ traits }: WorldAccount): boolean => traits.books === 'inverse_apart';

/** In the inverse wallet of such an account. */
export const INVERSE_COIN = { coin: 'BTC', amount: '0.15', price: 100_000 };

/** https://bybit-exchange.github.io/docs/v5/account/account-info; statuses: /docs/v5/enum#unifiedmarginstatus */
export const getAccountInfo = (account: WorldAccount, now: number) => ({
  unifiedMarginStatus: isClassic(account) ? 1 : isApart(account) ? 3 : 5,
  marginMode: 'REGULAR_MARGIN',
  isMasterTrader: false,
  spotHedgingStatus: 'OFF',
  updatedTime: String(now),
});

/** The wallet of inverse contracts: amounts of coins, without a total or a value. */
const getInverseWallet = () => ({
  list: [
    {
      accountType: 'CONTRACT',
      totalEquity: '',
      coin: [
        {
          coin: INVERSE_COIN.coin,
          equity: INVERSE_COIN.amount,
          usdValue: '',
          walletBalance: INVERSE_COIN.amount,
          unrealisedPnl: '0',
        },
        { coin: 'ETH', equity: '0', usdValue: '', walletBalance: '0', unrealisedPnl: '0' },
      ],
    },
  ],
});

/** https://bybit-exchange.github.io/docs/v5/account/wallet-balance */
export function getWalletBalance({ params }: VenueRequest, account: WorldAccount, now: number) {
  const unified = isApart(account) ? ['UNIFIED', 'CONTRACT'] : ['UNIFIED'];
  const allowed = isClassic(account) ? ['CONTRACT', 'SPOT', 'FUND'] : unified;
  if (!allowed.includes(params.get('accountType') ?? ''))
    throw refuse(10001, now, `accountType only support ${allowed.join(', ')}`);
  // A classic account has amounts by coin but no total.
  if (isClassic(account))
    return { list: [{ accountType: params.get('accountType'), totalEquity: '', coin: [] }] };
  if (params.get('accountType') === 'CONTRACT') return getInverseWallet();
  const { equity, wallet, unrealizedPnl, margin, available } = holdingsAt(account, now);
  return {
    list: [
      {
        accountType: 'UNIFIED',
        totalEquity: decimalText(equity),
        totalWalletBalance: decimalText(wallet),
        totalMarginBalance: decimalText(equity),
        totalAvailableBalance: decimalText(available),
        totalPerpUPL: decimalText(unrealizedPnl),
        totalInitialMargin: decimalText(margin),
        totalMaintenanceMargin: decimalText(margin / 10),
        accountIMRate: decimalText(equity > 0 ? margin / equity : 0, 4),
        accountMMRate: decimalText(equity > 0 ? margin / equity / 10 : 0, 4),
        accountLTV: '0',
        coin: [
          {
            coin: 'USDT',
            equity: decimalText(equity),
            usdValue: decimalText(equity),
            walletBalance: decimalText(wallet),
            unrealisedPnl: decimalText(unrealizedPnl),
            totalPositionIM: decimalText(margin),
            totalPositionMM: decimalText(margin / 10),
            locked: '0',
            borrowAmount: '0',
            marginCollateral: true,
            collateralSwitch: true,
          },
        ],
      },
    ],
  };
}

/** https://bybit-exchange.github.io/docs/v5/user/apikey-info */
export function getApiKeyInfo(account: WorldAccount, apiKey: string, now: number) {
  const { traits, accountType, accUid } = account;
  const isMaster = accountType === 'master';
  const transfers = isMaster ? ['AccountTransfer', 'SubMemberTransfer'] : ['AccountTransfer'];
  return {
    id: String(Number(accUid) + 1_000_000),
    note: 'copy trading',
    apiKey,
    readOnly: 0,
    secret: '',
    permissions: {
      ContractTrade: traits.mayReadFutures ? ['Order', 'Position'] : [],
      Spot: [],
      Wallet: traits.mayWithdraw ? [...transfers, 'Withdraw'] : [],
      Options: [],
      Derivatives: traits.mayReadFutures ? ['DerivativesTrade'] : [],
      CopyTrading: [],
      BlockTrade: [],
      Exchange: [],
      Earn: [],
      Affiliate: [],
    },
    ips: traits.ipWhitelist.length > 0 ? traits.ipWhitelist : ['*'],
    type: 1,
    deadlineDay: traits.ipWhitelist.length > 0 ? -2 : keyDaysLeft(accUid),
    expiredAt: keyEnd(now, keyDaysLeft(accUid)),
    createdAt: keyDate(account.epochMs - 200 * 86_400_000),
    unified: 0,
    uta: isClassic(account) ? 0 : 1,
    userID: Number(accUid),
    inviterID: 0,
    vipLevel: 'No VIP',
    mktMakerLevel: '0',
    affiliateID: 0,
    rsaPublicKey: '',
    isMaster,
    parentUid: isMaster ? '0' : traits.mainUid,
    kycLevel: 'LEVEL_DEFAULT',
    kycRegion: '',
  };
}
