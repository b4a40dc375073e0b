import type { RecipientType } from '../catalogue.ts';

/** The unit of amounts: base units of the token, or wei of the chain's own coin. 18 decimals each. */
export type Asset = 'USDT' | 'BNB';

/** Debit accounts grow by debits: assets and receivables. Credit accounts grow by credits: liabilities. */
export type LedgerSide = 'debit' | 'credit';

interface AccountRule {
  side: LedgerSide;
  /** payer: the community that pays a fee, or the platform. */
  owner: 'trader' | 'community' | 'invoice' | 'payer' | 'pool' | 'member';
  /** Only the platform's own account may be overdrawn. */
  mayBeNegative: boolean;
}

const debit = (owner: AccountRule['owner']): AccountRule => ({ side: 'debit', owner, mayBeNegative: false });
const credit = (owner: AccountRule['owner']): AccountRule => ({
  side: 'credit',
  owner,
  mayBeNegative: false,
});

/** Every kind of account. The database also derives side and flag from the kind; a test keeps both equal. */
export const ACCOUNT_KINDS = {
  /** Tokens at a trader's deposit address. */
  deposit_wallet: debit('trader'),
  /** Tokens in a community's internal wallet. */
  community_wallet: debit('community'),
  /** Coin for the transaction fees of a community, or of the platform itself. */
  gas_wallet: debit('payer'),
  /** The unpaid part of an invoice. */
  receivable: debit('invoice'),
  gas_spent: debit('payer'),
  /** Received from a trader and not yet applied to an invoice. */
  trader_deposit: credit('trader'),
  /** An invoice's amount, until its recipients are known. */
  billed: credit('invoice'),
  /** Received for an invoice that was later settled off-platform; an operator decides where it goes. */
  held: credit('invoice'),
  payable_mark: credit('invoice'),
  payable_community: credit('invoice'),
  payable_community_referrer: credit('invoice'),
  payable_trader_referrer: credit('invoice'),
  payable_hexmount: credit('invoice'),
  payable_sixk: credit('invoice'),
  payable_tip: credit('invoice'),
  /** Tokens in the proxy wallet of a pool. */
  pool_proxy: debit('pool'),
  /** Sent from the proxy wallet to the exchange and not credited there yet. */
  pool_transit: debit('pool'),
  /** Credited at the exchange. Its real balance differs while the pool trades, until the valuation. */
  pool_exchange: debit('pool'),
  /** Owed by the pool and lost: without anything that covers it. */
  pool_shortfall: debit('pool'),
  /** Tokens at the pool address of a member. */
  pool_deposit_wallet: debit('member'),
  /** The virtual balance of a member. */
  pool_capital: credit('member'),
  /** Received from a member and not admitted to the pool yet. */
  pool_pending: credit('member'),
  /** Returned by the exchange since the last valuation. */
  pool_returned: credit('pool'),
  /** Fees of members until they are moved to the community's wallet. */
  pool_fees_due: credit('pool'),
  /** Arrived at the proxy wallet with an unknown owner. */
  pool_unexplained: credit('pool'),
  /** The platform's own money: its contributions, by the community that they were made for, and its costs. */
  platform: { side: 'credit', owner: 'payer', mayBeNegative: true },
} as const satisfies Record<string, AccountRule> & Record<`payable_${RecipientType}`, AccountRule>;
export type AccountKind = keyof typeof ACCOUNT_KINDS;
/** In the order above. */
export const ACCOUNT_KIND_NAMES = Object.keys(ACCOUNT_KINDS) as AccountKind[];

/** Owner of the platform's own accounts. */
export const PLATFORM_OWNER = '00000000-0000-0000-0000-000000000000';

/** An account, identified by kind, owner and asset. */
export interface LedgerAccount {
  kind: AccountKind;
  ownerId: string;
  asset: Asset;
  /** The provider whose staff may see its figures; null for super admins only. */
  providerId: string | null;
}

export type OfInvoice = { invoiceId: string; providerId: string | null };

const usdt = (kind: AccountKind, ownerId: string, providerId: string | null = null): LedgerAccount => ({
  kind,
  ownerId,
  asset: 'USDT',
  providerId,
});
const ofInvoice = (kind: AccountKind, { invoiceId, providerId }: OfInvoice) =>
  usdt(kind, invoiceId, providerId);
const ofPayer = (kind: AccountKind, asset: Asset, communityId: string | null = null): LedgerAccount => ({
  ...usdt(kind, communityId ?? PLATFORM_OWNER),
  asset,
});

/** The accounts that journals are made of. */
export const ledgerAccount = {
  depositWallet: (traderId: string) => usdt('deposit_wallet', traderId),
  communityWallet: (communityId: string) => usdt('community_wallet', communityId),
  gasWallet: (communityId: string | null) => ofPayer('gas_wallet', 'BNB', communityId),
  gasSpent: (communityId: string | null) => ofPayer('gas_spent', 'BNB', communityId),
  platform: (asset: Asset, communityId: string | null = null) => ofPayer('platform', asset, communityId),
  traderDeposit: (traderId: string) => usdt('trader_deposit', traderId),
  receivable: (invoice: OfInvoice) => ofInvoice('receivable', invoice),
  billed: (invoice: OfInvoice) => ofInvoice('billed', invoice),
  held: (invoice: OfInvoice) => ofInvoice('held', invoice),
  poolProxy: (poolId: string) => usdt('pool_proxy', poolId),
  poolTransit: (poolId: string) => usdt('pool_transit', poolId),
  poolExchange: (poolId: string) => usdt('pool_exchange', poolId),
  poolShortfall: (poolId: string) => usdt('pool_shortfall', poolId),
  poolDepositWallet: (memberId: string) => usdt('pool_deposit_wallet', memberId),
  poolCapital: (memberId: string) => usdt('pool_capital', memberId),
  poolPending: (memberId: string) => usdt('pool_pending', memberId),
  poolReturned: (poolId: string) => usdt('pool_returned', poolId),
  poolFeesDue: (poolId: string) => usdt('pool_fees_due', poolId),
  poolUnexplained: (poolId: string) => usdt('pool_unexplained', poolId),
  payable: (invoice: OfInvoice, recipient: RecipientType) => ofInvoice(`payable_${recipient}`, invoice),
};

/** The same text for equal accounts. */
export function accountKey({ kind, ownerId, asset }: LedgerAccount): string {
  return `${kind} ${ownerId} ${asset}`;
}
