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
  /** USDT in the proxy wallet of a pool. */
  pool_proxy: debit('pool'),
  /** Sent to the exchange and not credited yet. */
  pool_transit: debit('pool'),
  /** At the exchange, as booked. */
  pool_exchange: debit('pool'),
  /** Lost beyond all capital. */
  pool_shortfall: debit('pool'),
  /** Tokens at a member's pool address. */
  pool_deposit_wallet: debit('member'),
  /** A member's virtual balance. */
  pool_capital: credit('member'),
  /** A member's final deposits that the pool has not admitted. */
  pool_pending: credit('member'),
  /** Withdrawn from the exchange in this cycle and not valued yet. */
  pool_returned: credit('pool'),
  /** Fees charged to members and not moved to the community's wallet yet. */
  pool_fees_due: credit('pool'),
  /** Money in the proxy wallet whose origin a person has to explain. */
  pool_unexplained: credit('pool'),
  /** The platform's own money: its contributions, by the community that they were made for, and its costs. */
  platform: { side: 'credit', owner: 'payer', mayBeNegative: true },
} as const satisfies Record<string, AccountRule> & Record<`payable_${RecipientType}`, AccountRule>;
export type AccountKind = keyof typeof ACCOUNT_KINDS;

/** Owner of the platform's own accounts. */
const PLATFORM_OWNER = '00000000-0000-0000-0000-000000000000';

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
  poolReturned: (poolId: string) => usdt('pool_returned', poolId),
  poolFeesDue: (poolId: string) => usdt('pool_fees_due', poolId),
  poolUnexplained: (poolId: string) => usdt('pool_unexplained', poolId),
  poolDepositWallet: (memberId: string) => usdt('pool_deposit_wallet', memberId),
  poolCapital: (memberId: string) => usdt('pool_capital', memberId),
  poolPending: (memberId: string) => usdt('pool_pending', memberId),
  payable: (invoice: OfInvoice, recipient: RecipientType) => ofInvoice(`payable_${recipient}`, invoice),
};

/** The same text for equal accounts. */
export function accountKey({ kind, ownerId, asset }: LedgerAccount): string {
  return `${kind} ${ownerId} ${asset}`;
}
