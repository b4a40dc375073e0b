/** The facts about the key of a pool's exchange account, as the exchange reports them. */
export interface PoolKeyFacts {
  mayWithdraw: boolean;
  /** Permissions by which money may leave the account, as `Group.Name`. */
  leavingPermissions: readonly string[];
  isReadOnly: boolean;
  /** Whether it may move money between the account's own wallets. */
  mayMove: boolean;
  /** Null: the exchange does not say. */
  isUnified: boolean | null;
  /** The exchange's regional platform; null: its main one. */
  region: string | null;
}

/**
 * Bybit's platform for the EEA: its API serves keys of connected applications only, and it does not trade USDT contracts.
 * https://bybit-exchange.github.io/docs/v5/guide
 */
const WITHOUT_POOLS: ReadonlySet<string | null> = new Set(['eu']);

/** Why a key is refused, with the change to make at the exchange. */
export const POOL_KEY_REFUSALS = {
  may_withdraw: 'This key may withdraw. Create one without the Withdraw permission.',
  money_may_leave:
    'This key may move money to other accounts. Create one without transfers to subaccounts, P2P, Bybit Pay and card.',
  cannot_move:
    'This key cannot move money between the wallets of its account. Create one with Read-Write access and Account Transfer.',
  region_without_pools:
    'This key is of Bybit EU, whose API does not move USDT for pools. Create one at the main platform, bybit.com.',
  classic_account: 'This is a classic account. Upgrade it to a Unified Trading Account on Bybit first.',
} as const satisfies Record<string, string>;
export type PoolKeyRefusal = keyof typeof POOL_KEY_REFUSALS;

/**
 * Why a key cannot connect a pool; null when it can. We hold no key that may take money out: the owner withdraws, and
 * the platform moves money within the account only.
 */
export function decidePoolKey(key: PoolKeyFacts): PoolKeyRefusal | null {
  if (WITHOUT_POOLS.has(key.region)) return 'region_without_pools';
  if (key.mayWithdraw) return 'may_withdraw';
  if (key.leavingPermissions.length > 0) return 'money_may_leave';
  if (key.isReadOnly || !key.mayMove) return 'cannot_move';
  if (key.isUnified === false) return 'classic_account';
  return null;
}
