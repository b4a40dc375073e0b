import type { ClosedPositionsPage, Priority } from './gateway.ts';
import type {
  CoinRules,
  DepositAddress,
  DepositRecord,
  InternalTransfer,
  LogSums,
  MoveResult,
  PoolAccount,
  PoolBalances,
  PoolKey,
  PoolPosition,
  Reading,
  WithdrawalRecord,
} from './pool-records.ts';

export interface PoolReadOptions {
  priority: Priority;
}

/** Both ends included, in ms. */
export interface TimeSpan {
  sinceMs: number;
  untilMs: number;
}

/**
 * Bybit's calls for a pool's account. Amounts are base units of USDT with 18 decimals; times are ms. Every method throws
 * a GatewayError and nothing else, sends through the limits, the breaker and the connections of the account reads, and
 * never uses an earlier answer. An unknown figure is null or `bad_response`, never a number.
 *
 * Limits are Bybit's per account: https://bybit-exchange.github.io/docs/v5/rate-limit. Pages are below
 * https://bybit-exchange.github.io/docs.
 */
export interface PoolVenue {
  /** The key's permissions, addresses, account and end. /docs/v5/user/apikey-info, 10 a second. */
  readKey(account: PoolAccount, options: PoolReadOptions): Promise<PoolKey>;

  /**
   * The same of a new key: at the main platform, and where that does not know it at the regional ones.
   * /docs/v5/guide
   */
  findKey(account: PoolAccount, options: PoolReadOptions): Promise<PoolKey>;

  /**
   * Where USDT on BNB Smart Chain is deposited. /docs/v5/asset/deposit/master-deposit-addr and sub-deposit-addr, 300 a
   * minute.
   * @param target.subUid the subaccount of this master key; without it, the master account itself
   * @throws GatewayError unsupported for the key of a subaccount, to which Bybit shows no address
   */
  readDepositAddress(
    account: PoolAccount,
    target: { subUid?: string },
    options: PoolReadOptions,
  ): Promise<DepositAddress>;

  /**
   * Deposits of USDT on chain into the key's own account, newest first. /docs/v5/asset/deposit/deposit-record, 100 a
   * minute. A deposit may take some minutes to be listed, and one from another Bybit user is never listed.
   */
  listDeposits(
    account: PoolAccount,
    filter: { txId: string } | TimeSpan,
    options: PoolReadOptions,
  ): Promise<Reading & { deposits: DepositRecord[] }>;

  /**
   * Withdrawals of USDT created in a span of time, finished or not, newest first. /docs/v5/asset/withdraw/withdraw-record,
   * 300 a minute.
   * @throws GatewayError unsupported for the key of a subaccount: Bybit lists withdrawals for master keys only
   */
  listWithdrawals(
    account: PoolAccount,
    span: TimeSpan,
    options: PoolReadOptions,
  ): Promise<Reading & { withdrawals: WithdrawalRecord[] }>;

  /** Both wallets. /docs/v5/account/wallet-balance, 50 a second, and /docs/v5/asset/balance/all-balance, 5 a second. */
  readBalances(account: PoolAccount, options: PoolReadOptions): Promise<PoolBalances>;

  /**
   * Moves USDT from the funding to the unified wallet. /docs/v5/asset/transfer/create-inter-transfer, 60 a minute. A
   * repeat with the same id never moves twice: it reports the first one. After an error the move may have happened;
   * `findTransfer` knows, or the same call again.
   * @param move.transferId a UUID that the caller stored before the call
   */
  moveToUnified(
    account: PoolAccount,
    move: { transferId: string; amountUnits: bigint },
    options: PoolReadOptions,
  ): Promise<MoveResult>;

  /**
   * The record of an internal transfer of the last 7 days; null: Bybit does not list it, which may change within
   * seconds. /docs/v5/asset/transfer/inter-transfer-list, 60 a minute.
   */
  findTransfer(
    account: PoolAccount,
    transferId: string,
    options: PoolReadOptions,
  ): Promise<InternalTransfer | null>;

  /** Open positions in linear, inverse and option contracts. /docs/v5/position, 50 a second, four calls. */
  listPositions(
    account: PoolAccount,
    options: PoolReadOptions,
  ): Promise<Reading & { positions: PoolPosition[] }>;

  /** Open orders of every kind, spot included. /docs/v5/order/open-order, 50 a second, five calls. */
  countOpenOrders(account: PoolAccount, options: PoolReadOptions): Promise<Reading & { count: number }>;

  /** One page of the positions closed in a span of time, as `ExchangeGateway.closedPositions`. Options are not listed. */
  listClosedPnl(
    account: PoolAccount,
    span: TimeSpan & { cursor?: string },
    options: PoolReadOptions,
  ): Promise<ClosedPositionsPage>;

  /**
   * The changes of the unified wallet's USDT, added up by type. /docs/v5/account/transaction-log, 25 a second, 50
   * entries a call: a busy pool takes seconds. Bybit keeps two years, and may be late after violent markets.
   */
  sumTransactionLog(
    account: PoolAccount,
    span: TimeSpan,
    options: PoolReadOptions,
  ): Promise<Reading & LogSums>;

  /** Minima, fees and state of USDT on BNB Smart Chain. /docs/v5/asset/coin-info, 5 a second. */
  readCoin(account: PoolAccount, options: PoolReadOptions): Promise<CoinRules>;
}
