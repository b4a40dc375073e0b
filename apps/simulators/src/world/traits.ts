import { createRandom, seedOf } from './random.ts';
import type { DemoAccount } from './trader.ts';

/**
 * The unusual feature of an account's books. `unified` is of hyperliquid and kucoin, `other_dex` of hyperliquid,
 * `single_asset`, `multi_assets` and `portfolio_margin` of binance, `expired_inverse` of okx, `other_coins` of kucoin,
 * `classic` and `inverse_apart` of bybit.
 */
export type Books =
  | 'plain'
  | 'unified'
  | 'other_dex'
  | 'single_asset'
  | 'multi_assets'
  | 'expired_inverse'
  | 'other_coins'
  | 'classic'
  | 'inverse_apart'
  | 'portfolio_margin';

/** A venue's data about an account's key. */
export interface AccountTraits {
  /** Empty: the key may be used from anywhere. Unused on hyperliquid, which has no such list. */
  ipWhitelist: string[];
  /** The key was deleted at the venue; on hyperliquid, the agent was removed. */
  isRevoked: boolean;
  mayWithdraw: boolean;
  /** Whether the key may read futures. */
  mayReadFutures: boolean;
  /** The venue's id of the main account; the account's own id for a main account. */
  mainUid: string;
  /** Hyperliquid: an agent without a name is not listed, and only its role reveals its owner. */
  isAgentNamed: boolean;
  books: Books;
}

/** We read from this machine, so venues see this address. */
export const OUR_ADDRESS = '127.0.0.1';

/**
 * A third of the keys is restricted to 1 to 6 addresses including ours, one in a hundred to addresses without ours, one
 * in a hundred is revoked and one in fifty may withdraw. An account that was never read is more likely to be
 * unreadable.
 */
export function createTraits(account: DemoAccount): AccountTraits {
  const random = createRandom(seedOf(`traits ${account.id}`));
  const fate = random.next();
  const trouble = account.equity === null ? 0.25 : 0.005;
  const addresses = Array.from({ length: random.integer(1, 6) }, () => publicAddress(random.next()));
  const isRestricted = random.chance(1 / 3);
  if (fate < trouble) return { ...createPlainTraits(account), ipWhitelist: addresses };
  const ourPlace = random.integer(0, addresses.length - 1);
  return {
    ...createPlainTraits(account),
    ipWhitelist: isRestricted ? addresses.with(ourPlace, OUR_ADDRESS) : [],
    isRevoked: fate > 1 - trouble,
    mayWithdraw: random.chance(0.02),
    isAgentNamed: random.chance(0.9),
  };
}

/** A key that may be used from anywhere, for reading and trading. */
export function createPlainTraits({ accUid, accountType }: DemoAccount): AccountTraits {
  return {
    ipWhitelist: [],
    isRevoked: false,
    mayWithdraw: false,
    mayReadFutures: true,
    mainUid: accountType === 'master' ? accUid : masterUidOf(accUid),
    isAgentNamed: true,
    books: 'plain',
  };
}

/** The main account above a subaccount, which is not part of the demo world. */
function masterUidOf(accUid: string): string {
  const random = createRandom(seedOf(`main ${accUid}`));
  return accUid.startsWith('0x') ? `0x${random.hex(40)}` : String(random.integer(70_000_000, 79_999_999));
}

/** From 203.0.113.0/24 and 198.51.100.0/24, which are reserved for documentation (RFC 5737). */
function publicAddress(value: number): string {
  const nth = Math.floor(value * 508);
  return nth < 254 ? `203.0.113.${nth + 1}` : `198.51.100.${nth - 253}`;
}
