/** Who ends a problem of an account. */
export type ProblemTurn = 'trader' | 'operator' | 'system';

interface Problem {
  cause: string;
  /** A further sentence for a person who asked for a reading. */
  ask?: string;
  /** What ends it, where no person waits for an answer. */
  act: string;
  turn: ProblemTurn;
}

/** A worker reads again: a person need not do anything. */
const AGAIN = { act: 'Nothing: it is tried again.', turn: 'system' } as const;

/**
 * All problems between the platform and an exchange. The texts are ours: an exchange's error text is never shown,
 * because some repeat the signed request.
 */
const PROBLEMS = {
  invalid_credentials: {
    cause: 'The exchange does not accept these credentials.',
    act: 'The trader makes a new key with reading rights.',
    turn: 'trader',
  },
  credentials_or_ip: {
    cause: 'The exchange refused the key: it is wrong, or our address is not on its IP whitelist.',
    act: 'The trader allows our addresses at the exchange, or makes a new key.',
    turn: 'trader',
  },
  ip_not_allowed: {
    cause: "Our address is not on the key's IP whitelist.",
    act: 'The trader allows our addresses at the exchange.',
    turn: 'trader',
  },
  insufficient_permission: {
    cause: 'The key lacks a permission that reading needs.',
    ask: 'Enable read access for futures on this key.',
    act: 'The trader enables read access for futures on this key.',
    turn: 'trader',
  },
  key_locked: {
    cause: 'The exchange has locked the keys of this account.',
    ask: 'Unlock them there, then try again.',
    act: 'The trader unlocks them at the exchange.',
    turn: 'trader',
  },
  invalid_account: {
    cause: 'The exchange says that the account of this key is closed, suspended or not open for futures.',
    ask: 'Clear this up on the exchange, then try again.',
    act: 'The trader clears this up with the exchange.',
    turn: 'trader',
  },
  clock_skew: { cause: 'The exchange refused our clock.', ask: 'Please try again.', ...AGAIN },
  rate_limited: {
    cause: 'The exchange asks us to slow down.',
    ask: 'Please try again in a moment.',
    ...AGAIN,
  },
  venue_unavailable: { cause: 'The exchange is not available at the moment.', ...AGAIN },
  timeout: { cause: 'The exchange did not answer in time.', ...AGAIN },
  bad_response: { cause: 'The exchange answered something that we cannot read.', ...AGAIN },
  unsupported: {
    cause: 'The exchange does not offer this.',
    act: 'An operator of the platform looks at it.',
    turn: 'operator',
  },
  classic_account: {
    cause: 'This is a Bybit classic account, which cannot be read.',
    ask: 'Upgrade it to a Unified Trading Account on Bybit, then try again.',
    act: 'The trader upgrades it to a Unified Trading Account on Bybit.',
    turn: 'trader',
  },
  portfolio_margin: {
    cause: 'This account uses portfolio margin, which cannot be read.',
    ask: 'Switch it to an ordinary futures account on Binance, then try again.',
    act: 'The trader switches it to an ordinary futures account on Binance.',
    turn: 'trader',
  },
  kucoin_unified: {
    cause: 'This is a KuCoin unified account, which cannot be read.',
    ask: 'Connect a classic account of KuCoin, such as a classic subaccount.',
    act: 'The trader opens a classic account of KuCoin, such as a classic subaccount, and it is connected instead.',
    turn: 'trader',
  },
  unsupported_account_mode: {
    cause: 'The account is in a mode that cannot be valued, so no figure is shown.',
    ask: 'Switch it to another account mode on the exchange, then try again.',
    act: 'The trader switches it to another account mode on the exchange.',
    turn: 'trader',
  },
} as const satisfies Record<string, Problem>;

export type ExchangeProblem = keyof typeof PROBLEMS;

/** The codes alone, for schemas. */
export const EXCHANGE_PROBLEM_CODES = Object.keys(PROBLEMS) as [ExchangeProblem, ...ExchangeProblem[]];

const byCode = <T>(read: (problem: Problem) => T) =>
  Object.fromEntries(EXCHANGE_PROBLEM_CODES.map((code) => [code, read(PROBLEMS[code])])) as Record<
    ExchangeProblem,
    T
  >;

/** The text for a person who asked for a reading. */
export const EXCHANGE_PROBLEMS = byCode(({ cause, ask }) => (ask ? `${cause} ${ask}` : cause));

/** The cause alone, and what ends it: where a worker met the problem, and no person waits. */
export const EXCHANGE_CAUSES = byCode(({ cause, act, turn }) => ({ cause, act, turn }));

/** Problems that pass without a person, unless they last. */
export const PASSING_PROBLEMS = EXCHANGE_PROBLEM_CODES.filter((code) => PROBLEMS[code].turn === 'system');

/** Problems that a new key ends, with reading rights and without a whitelist that leaves us out. */
export const KEY_PROBLEMS = [
  'invalid_credentials',
  'credentials_or_ip',
  'ip_not_allowed',
  'insufficient_permission',
] as const satisfies readonly ExchangeProblem[];

/** Problems that our addresses at the exchange may end. */
export const ADDRESS_PROBLEMS: ReadonlySet<ExchangeProblem> = new Set([
  'credentials_or_ip',
  'ip_not_allowed',
]);

/**
 * Whether an account is read. `failing`: a problem that a person ends. `unread`: due for an hour, or not read for an hour
 * because of a problem that passes. `new`: connected and never read.
 */
export const ACCOUNT_STATES = ['failing', 'unread', 'new', 'read'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Whether a key belongs to a main account or to a subaccount of one. */
export const ACCOUNT_TYPES = ['master', 'subaccount'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];
