/**
 * All problems between the platform and an exchange, with the message for an operator. The texts are ours: an
 * exchange's error text is never shown, because some repeat the signed request.
 */
export const EXCHANGE_PROBLEMS = {
  invalid_credentials: 'The exchange does not accept these credentials.',
  credentials_or_ip: 'The exchange refused the key: it is wrong, or our address is not on its IP whitelist.',
  ip_not_allowed: "Our address is not on the key's IP whitelist.",
  insufficient_permission: 'Enable read access for futures on this key.',
  key_locked: 'The exchange has locked the keys of this account. Unlock them there, then try again.',
  invalid_account:
    'The exchange says that the account of this key is closed, suspended or not open for futures. Clear this up on the exchange, then try again.',
  clock_skew: 'The exchange refused our clock. Please try again.',
  rate_limited: 'The exchange asks us to slow down. Please try again in a moment.',
  venue_unavailable: 'The exchange is not available at the moment.',
  timeout: 'The exchange did not answer in time.',
  bad_response: 'The exchange answered something that we cannot read.',
  unsupported: 'The exchange does not offer this.',
  classic_account:
    'This is a Bybit classic account, which cannot be read. Upgrade it to a Unified Trading Account on Bybit, then try again.',
  portfolio_margin:
    'This account uses portfolio margin, which cannot be read. Switch it to an ordinary futures account on Binance, then try again.',
  kucoin_unified:
    'This is a KuCoin unified account, which cannot be read. Connect a classic account of KuCoin, such as a classic subaccount.',
  unsupported_account_mode:
    'The account is in a mode that cannot be valued, so no figure is shown. Switch it to another account mode on the exchange, then try again.',
} as const satisfies Record<string, string>;

export type ExchangeProblem = keyof typeof EXCHANGE_PROBLEMS;

/** The codes alone, for schemas. */
export const EXCHANGE_PROBLEM_CODES = Object.keys(EXCHANGE_PROBLEMS) as [
  ExchangeProblem,
  ...ExchangeProblem[],
];

/** Whether a key belongs to a main account or to a subaccount of one. */
export const ACCOUNT_TYPES = ['master', 'subaccount'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];
