import type { RecipientType } from '../catalogue.ts';

/** What amounts are counted in: base units of the token, or wei of the chain's own coin. 18 decimals each. */
export type Asset = 'USDT' | 'BNB';

/** Debit accounts grow by debits: what we hold or are owed. Credit accounts grow by credits: what we owe. */
export type LedgerSide = 'debit' | 'credit';

interface AccountRule {
  side: LedgerSide;
  owner: 'trader' | 'community' | 'invoice' | 'platform';
  /** Only the platform's own account may be overdrawn. */
  mayBeNegative: boolean;
}

const debit = (owner: AccountRule['owner']): AccountRule => ({ side: 'debit', owner, mayBeNegative: false });
const credit = (owner: AccountRule['owner']): AccountRule => ({
  side: 'credit',
  owner,
  mayBeNegative: false,
});

/** Every kind of account. The database derives side and flag from the kind as well; a test holds the two together. */
export const ACCOUNT_KINDS = {
  /** Tokens at a trader's deposit address. */
  deposit_wallet: debit('trader'),
  /** Tokens in a community's internal wallet. */
  community_wallet: debit('community'),
  /** Coin that pays for transactions. */
  gas_wallet: debit('platform'),
  /** Part of an invoice that is still to be paid. */
  receivable: debit('invoice'),
  gas_spent: debit('platform'),
  /** Received from a trader and not yet put to an invoice. */
  trader_deposit: credit('trader'),
  /** An invoice's amount, until it is known who gets it. */
  billed: credit('invoice'),
  /** Received for an invoice that was then settled off-platform; a person decides where it goes. */
  held: credit('invoice'),
  payable_mark: credit('invoice'),
  payable_community: credit('invoice'),
  payable_community_referrer: credit('invoice'),
  payable_trader_referrer: credit('invoice'),
  payable_hexmount: credit('invoice'),
  payable_sixk: credit('invoice'),
  payable_tip: credit('invoice'),
  /** The platform's own money: what it put in, and what it bears. */
  platform: { side: 'credit', owner: 'platform', mayBeNegative: true },
} as const satisfies Record<string, AccountRule> & Record<`payable_${RecipientType}`, AccountRule>;
export type AccountKind = keyof typeof ACCOUNT_KINDS;

/** Owner of the platform's own accounts. */
export const PLATFORM_OWNER = '00000000-0000-0000-0000-000000000000';

/** An account by its name; kind, owner and asset make it the one that it is. */
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
const ofPlatform = (kind: AccountKind, asset: Asset): LedgerAccount => ({
  ...usdt(kind, PLATFORM_OWNER),
  asset,
});

/** The accounts that journals are made of. */
export const ledgerAccount = {
  depositWallet: (traderId: string) => usdt('deposit_wallet', traderId),
  communityWallet: (communityId: string) => usdt('community_wallet', communityId),
  gasWallet: () => ofPlatform('gas_wallet', 'BNB'),
  gasSpent: () => ofPlatform('gas_spent', 'BNB'),
  platform: (asset: Asset) => ofPlatform('platform', asset),
  traderDeposit: (traderId: string) => usdt('trader_deposit', traderId),
  receivable: (invoice: OfInvoice) => ofInvoice('receivable', invoice),
  billed: (invoice: OfInvoice) => ofInvoice('billed', invoice),
  held: (invoice: OfInvoice) => ofInvoice('held', invoice),
  payable: (invoice: OfInvoice, recipient: RecipientType) => ofInvoice(`payable_${recipient}`, invoice),
};

/** Text that is equal for equal accounts. */
export function accountKey({ kind, ownerId, asset }: LedgerAccount): string {
  return `${kind} ${ownerId} ${asset}`;
}
