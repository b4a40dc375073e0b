/** Base units of USDT, 18 decimals, unless said otherwise. Times are ms. Everything here survives a restart. */
export interface PoolState {
  uid: string;
  apiKey: string;
  secretKey: string;
  /** Null: a master account. */
  parentUid: string | null;
  /** Wallet permissions of the key, as in AccountTransfer. */
  walletPermissions: string[];
  isReadOnly: boolean;
  ips: string[];
  depositAddress: string;
  funding: bigint;
  /** Bonus included. */
  unified: bigint;
  bonus: bigint;
  /** Where deposits are credited, as the owner chose at the venue. */
  depositsTo?: 'funding' | 'unified';
  /** What the venue has suspended for this coin and chain. */
  suspended?: ('deposits' | 'withdrawals')[];
  /** The most that the venue releases from one deposit; undefined: no limit. */
  depositLimit?: bigint;
  /** The contract whose tokens the venue credits; undefined: that of the chain. */
  depositToken?: string;
  otherCoins: OtherCoin[];
  positions: PoolPosition[];
  orders: { id: string; category: 'linear' | 'inverse' | 'option' | 'spot' }[];
  deposits: PoolDeposit[];
  withdrawals: PoolWithdrawal[];
  transfers: PoolTransfer[];
  log: LogEntry[];
  closed: ClosedPosition[];
  trading: Trading | null;
  /** Trades so far, which also number the ids of records. */
  trades: number;
}

export interface OtherCoin {
  coin: string;
  wallet: 'funding' | 'unified';
  amount: string;
  usd: string;
}

export interface PoolPosition {
  category: 'linear' | 'inverse' | 'option';
  /** Settlement coin of a linear contract. */
  settleCoin: 'USDT' | 'USDC';
  symbol: string;
  side: 'Buy' | 'Sell';
  size: string;
  price: string;
  openedAt: number;
}

export interface PoolDeposit {
  id: string;
  txId: string;
  fromAddress: string;
  units: bigint;
  /** https://bybit-exchange.github.io/docs/v5/enum#depositstatus */
  status: number;
  depositType: string;
  confirmations: number;
  /** Null for one that was injected. */
  block: bigint | null;
  createdAt: number;
  /** Listed from this moment. */
  listedAt: number;
  successAt: number | null;
}

export interface PoolWithdrawal {
  id: string;
  toAddress: string;
  units: bigint;
  fee: bigint;
  status: string;
  txId: string;
  /** Signed and stored before it is sent, so that a restart sends nothing twice. */
  rawTransaction: `0x${string}` | null;
  /** Waits for `release`. */
  isHeld: boolean;
  /** Taken from the two wallets, for a refund. */
  taken: { funding: bigint; unified: bigint };
  createdAt: number;
  updatedAt: number;
}

export interface PoolTransfer {
  transferId: string;
  units: bigint;
  status: 'SUCCESS' | 'PENDING' | 'FAILED';
  at: number;
}

export interface LogEntry {
  id: string;
  type: string;
  cashFlow: bigint;
  funding: bigint;
  fee: bigint;
  cashBalance: bigint;
  at: number;
}

export interface ClosedPosition {
  orderId: string;
  symbol: string;
  side: 'Buy' | 'Sell';
  size: string;
  entryPrice: string;
  exitPrice: string;
  /** Net of both fees. */
  pnl: bigint;
  openFee: bigint;
  closeFee: bigint;
  openedAt: number;
  closedAt: number;
}

export interface Trading {
  everyMs: number;
  /** How long each position is open; undefined: a part of the period. */
  openMs?: number;
  /** When the present position was opened. */
  openedAt: number;
}

/** The first state of an account. */
export function createPoolState(
  account: Pick<PoolState, 'uid' | 'apiKey' | 'secretKey' | 'depositAddress'> & Partial<PoolState>,
): PoolState {
  return {
    parentUid: null,
    walletPermissions: ['AccountTransfer'],
    isReadOnly: false,
    ips: [],
    funding: 0n,
    unified: 0n,
    bonus: 0n,
    otherCoins: [],
    positions: [],
    orders: [],
    deposits: [],
    withdrawals: [],
    transfers: [],
    log: [],
    closed: [],
    trading: null,
    trades: 0,
    ...account,
  };
}
