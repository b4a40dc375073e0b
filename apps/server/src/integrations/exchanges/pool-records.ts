import type { ExchangeCredentials } from '@copydesk/domain/trading';
import type { DecimalText } from './gateway.ts';

/** The Bybit account of a pool, or the master account above it. */
export interface PoolAccount {
  /** Identifies the account: its own budget, and `forget`. */
  key: string;
  credentials: Extract<ExchangeCredentials, { exchange: 'bybit' }>;
  /** Bybit's regional platform that knows the key, as `findKey` found it; null or left out: its main one. */
  region?: string | null;
}

/**
 * When a reading began, in ms: it shows the account as of this moment or later. No pool reading is cached or shared
 * with another caller.
 */
export interface Reading {
  readAt: number;
}

export interface PoolKey extends Reading {
  /** Bybit's regional platform that described the key; null: its main one. */
  region: string | null;
  uid: string;
  isMaster: boolean;
  /** Whether the account is a unified one, the only kind that a pool may use; null: the venue does not say. */
  isUnified: boolean | null;
  isReadOnly: boolean;
  /** Every permission as `Group.Name`, as in `Wallet.AccountTransfer`. */
  permissions: string[];
  /** Whether the key may withdraw on chain. */
  mayWithdraw: boolean;
  /**
   * The permissions by which money may leave the account: withdrawing, transfers to other accounts, and payments (P2P,
   * Bybit Pay, card). A pool's key needs none of them.
   */
  leavingPermissions: string[];
  /** Whether it may move money between the account's own wallets, as `moveToUnified` does. */
  mayMove: boolean;
  /** The allowed addresses; empty: any address. */
  ips: string[];
  /** Keys without a list of addresses expire after 90 days, and 7 days after a change of password. Null: never. */
  expiresAt: number | null;
}

export interface DepositAddress extends Reading {
  /** As the venue writes it; compare without regard to case. */
  address: string;
  /** The last characters of the token's contract, for comparison; null where the venue does not say. */
  contractEnding: string | null;
  /** The most that is released from one deposit, in base units; null: no limit. */
  releaseLimitUnits: bigint | null;
}

export type DepositProblem =
  | 'failed'
  | 'rolling_back'
  | 'rolled_back'
  | 'rollback_failed'
  | 'daily_limit'
  | 'held_for_review'
  | 'blocked';

/** One deposit on chain into the account. */
export interface DepositRecord {
  id: string;
  chain: string;
  /** Lower case. */
  txId: string;
  amountUnits: bigint;
  /** Base units kept by the venue; null where it does not say. */
  feeUnits: bigint | null;
  toAddress: string;
  /** The venue's number, unchanged: https://bybit-exchange.github.io/docs/v5/enum#depositstatus */
  status: number;
  /**
   * `credited`: final (3; 70012 after a rollback that left it valid). `problem`: see below. `unknown`: a number that is
   * not documented, or 0; it is neither credited nor lost.
   */
  state: 'under_way' | 'credited' | 'problem' | 'unknown';
  /** A held or limited deposit is one whatever its status: the owner has to act on Bybit. */
  problem: DepositProblem | null;
  creditedAt: number | null;
}

/** One withdrawal out of the account, on chain or to another Bybit user. */
export interface WithdrawalRecord {
  id: string;
  /** Lower case; null until the chain has it, and after a withdrawal that came to nothing. */
  txId: string | null;
  /**
   * As the venue lists it. Its documents add the fee on top; a withdrawal from its website may be listed otherwise, so
   * the transaction identifies it on chain, and not the amount.
   */
  amountUnits: bigint;
  feeUnits: bigint;
  /** An address, or the UID of another Bybit user. */
  toAddress: string;
  /** The venue's word, unchanged: https://bybit-exchange.github.io/docs/v5/enum#withdrawstatus */
  status: string;
  /** `ended`: cancelled, rejected or failed, nothing left the account. `unknown` counts as under way. */
  state: 'under_way' | 'done' | 'ended' | 'unknown';
  /** The owner has to answer questions on Bybit before it goes on. */
  needsOwner: boolean;
  createdAt: number;
}

/** USDT in one wallet, in base units. */
export interface WalletBalance {
  /**
   * The account's own money: the wallet without the venue's vouchers, which cannot be withdrawn, and without borrowed
   * money. Negative after a loss beyond it.
   */
  ownUnits: bigint;
}

export interface CoinBalance {
  coin: string;
  wallet: 'funding' | 'unified';
  amount: DecimalText;
  /** What is owed of the coin, whatever the amount: zero or more. */
  owed: DecimalText;
  /** The venue's own valuation; null where it has none, as in the funding wallet. */
  usd: DecimalText | null;
}

export interface PoolBalances extends Reading {
  funding: WalletBalance;
  unified: WalletBalance & { unrealizedUnits: bigint };
  /** `ownUnits` of both wallets. */
  totalUnits: bigint;
  /**
   * USDT that is owed: borrowed, or a wallet below zero. The balance of the other wallet is not set against
   * it.
   */
  owedUnits: bigint;
  /** Every other coin with a balance other than zero. */
  otherCoins: CoinBalance[];
}

export interface InternalTransfer {
  transferId: string;
  amountUnits: bigint;
  /** The venue's word, unchanged. */
  status: string;
  state: 'done' | 'under_way' | 'failed' | 'unknown';
}

export type MoveRefusal = 'insufficient_balance' | 'invalid_amount' | 'forbidden';

/** `refused`: the venue said no to this request, and nothing moved. The same id may be used again. */
export type MoveResult =
  | { state: 'done' | 'under_way' | 'failed' | 'unknown'; status: string }
  | { state: 'refused'; reason: MoveRefusal; venueCode: string | null };

/** An open position in the venue's own units. */
export interface PoolPosition {
  category: 'linear' | 'inverse' | 'option';
  venueSymbol: string;
  side: 'long' | 'short';
  /** Contracts of the venue: coins, or dollars on inverse contracts. Never zero. */
  size: DecimalText;
}

/** Changes of the unified wallet's USDT over a range of time. */
export interface LogSums {
  /** Base units by the venue's type, as in TRADE or TRANSFER_IN: https://bybit-exchange.github.io/docs/v5/enum#typeuta-translog */
  byType: Record<string, bigint>;
}

/** USDT on BNB Smart Chain, by the venue's present rules. */
export interface CoinRules extends Reading {
  depositMinUnits: bigint;
  /** Null: withdrawals of this coin are not supported. */
  withdrawMinUnits: bigint | null;
  /** Fixed fee of a withdrawal; null: withdrawals are not supported. */
  withdrawFeeUnits: bigint | null;
  /** Part of the amount that is charged besides, as in 0.022. */
  withdrawFeeShare: DecimalText;
  /** Decimals of an amount that may be sent to or from the venue. */
  accuracyDecimals: number;
  maySendDeposits: boolean;
  mayWithdraw: boolean;
  /** Lower case; null where the venue does not say. */
  contractAddress: string | null;
}
