import type { Endpoint } from '../../venue.ts';
import { BYBIT } from '../bybit-endpoints.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** A call with a limit of its own, counted by account: https://bybit-exchange.github.io/docs/v5/rate-limit */
const limited = (method: string, requests: number, windowMs: number): Endpoint => ({
  method,
  weight: 1,
  accountLimit: { weight: requests, windowMs, burst: 0.5 },
});

/** Paths below https://bybit-exchange.github.io/docs. */
export const BYBIT_POOL = {
  keyInfo: BYBIT.keyInfo,
  walletBalance: BYBIT.walletBalance,
  positions: BYBIT.positions,
  closedPnl: BYBIT.closedPnl,
  /** /docs/v5/asset/deposit/master-deposit-addr */
  depositAddress: limited('privateGetV5AssetDepositQueryAddress', 300, MINUTE_MS),
  /** /docs/v5/asset/deposit/sub-deposit-addr */
  subDepositAddress: limited('privateGetV5AssetDepositQuerySubMemberAddress', 300, MINUTE_MS),
  /** /docs/v5/asset/deposit/deposit-record */
  deposits: limited('privateGetV5AssetDepositQueryRecord', 100, MINUTE_MS),
  /** /docs/v5/asset/withdraw/withdraw-record */
  withdrawals: limited('privateGetV5AssetWithdrawQueryRecord', 300, MINUTE_MS),
  /** /docs/v5/asset/balance/all-balance */
  fundingBalance: limited('privateGetV5AssetTransferQueryAccountCoinsBalance', 5, SECOND_MS),
  /** /docs/v5/asset/transfer/create-inter-transfer: the only call that changes something. */
  move: {
    ...limited('privatePostV5AssetTransferInterTransfer', 60, MINUTE_MS),
    posts: '/v5/asset/transfer/inter-transfer',
  },
  /** /docs/v5/asset/transfer/inter-transfer-list */
  internalTransfers: limited('privateGetV5AssetTransferQueryInterTransferList', 60, MINUTE_MS),
  /** /docs/v5/order/open-order */
  openOrders: { method: 'privateGetV5OrderRealtime', weight: 1 },
  /** /docs/v5/account/transaction-log */
  transactionLog: limited('privateGetV5AccountTransactionLog', 25, SECOND_MS),
  /** /docs/v5/asset/coin-info */
  coin: limited('privateGetV5AssetCoinQueryInfo', 5, SECOND_MS),
} as const satisfies Record<string, Endpoint>;
