import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { createRandom, seedOf } from './random.ts';
import type { DemoAccount } from './trader.ts';
import { type AccountTraits, createPlainTraits, OUR_ADDRESS } from './traits.ts';

export interface SpareAccount {
  /** The state of its key, as in `revoked`. */
  name: string;
  account: DemoAccount;
  traits: AccountTraits;
}

type Kind = { name: string; accountType: DemoAccount['accountType']; traits: Partial<AccountTraits> };

const KEYED: Kind[] = [
  { name: 'plain', accountType: 'master', traits: {} },
  {
    name: 'may_withdraw',
    accountType: 'subaccount',
    traits: { mayWithdraw: true, ipWhitelist: ['203.0.113.7', OUR_ADDRESS, '198.51.100.20'] },
  },
  { name: 'ip_restricted_without_us', accountType: 'master', traits: { ipWhitelist: ['203.0.113.7'] } },
  { name: 'revoked', accountType: 'master', traits: { isRevoked: true } },
  { name: 'without_futures', accountType: 'master', traits: { mayReadFutures: false } },
];

const ADDRESSED: Kind[] = [
  { name: 'plain', accountType: 'master', traits: {} },
  { name: 'subaccount', accountType: 'subaccount', traits: {} },
  { name: 'unnamed_agent', accountType: 'master', traits: { isAgentNamed: false } },
  { name: 'revoked', accountType: 'master', traits: { isRevoked: true } },
];

/** Accounts with unusual books, by venue. They come after the others, which keep their names. */
const UNUSUAL: Record<Exchange, AccountTraits['books'][]> = {
  bybit: ['classic', 'inverse_apart'],
  binance: ['single_asset', 'multi_assets', 'portfolio_margin'],
  okx: ['expired_inverse'],
  kucoin: ['other_coins', 'unified'],
  hyperliquid: ['unified', 'other_dex'],
};

const kindsOf = (exchange: Exchange): Kind[] => [
  ...(exchange === 'hyperliquid' ? ADDRESSED : KEYED),
  ...UNUSUAL[exchange].map((books): Kind => ({ name: books, accountType: 'master', traits: { books } })),
];

/** Six to eight accounts per venue without a trader, to be connected by hand. They are the same in every world. */
export function createSpareAccounts(): SpareAccount[] {
  return EXCHANGES.flatMap((exchange) =>
    kindsOf(exchange).map((kind, nth) => createSpare(exchange, kind, nth)),
  );
}

function createSpare(exchange: Exchange, { name, accountType, traits }: Kind, nth: number): SpareAccount {
  const random = createRandom(seedOf(`spare ${exchange} ${name}`));
  const masterAddress = exchange === 'hyperliquid' ? `0x${random.hex(40)}` : null;
  const account: DemoAccount = {
    id: random.uuid(),
    // No provider until it is connected.
    providerId: '',
    exchange,
    accUid: masterAddress ?? String(5_000_000 + EXCHANGES.indexOf(exchange) * 10 + nth),
    accountType,
    masterAddress,
    equity: (2_500 + random.next() * 20_000).toFixed(2),
  };
  return { name, account, traits: { ...createPlainTraits(account), ...traits } };
}
