import type { ExchangeProblem } from '@copydesk/domain';

/** ccxt's error classes. A class that is missing here counts as its nearest listed ancestor. */
const PROBLEMS: Record<string, ExchangeProblem> = {
  AuthenticationError: 'invalid_credentials',
  AccountNotEnabled: 'invalid_account',
  AccountSuspended: 'invalid_account',
  PermissionDenied: 'insufficient_permission',
  RateLimitExceeded: 'rate_limited',
  DDoSProtection: 'rate_limited',
  InvalidNonce: 'clock_skew',
  RequestTimeout: 'timeout',
  NetworkError: 'venue_unavailable',
  RestrictedLocation: 'unsupported',
  OperationFailed: 'venue_unavailable',
  BadResponse: 'bad_response',
  NotSupported: 'unsupported',
  BaseError: 'bad_response',
};

/**
 * The problem behind an error of ccxt by its class, subclasses first: PermissionDenied is an AuthenticationError to
 * ccxt, InvalidNonce a NetworkError. Null when it is not ccxt's.
 */
export function problemOfClass(error: unknown): ExchangeProblem | null {
  for (let at = error; at !== null && typeof at === 'object'; at = Object.getPrototypeOf(at)) {
    const problem = Object.hasOwn(at, 'constructor') ? PROBLEMS[at.constructor.name] : undefined;
    if (problem) return problem;
  }
  return null;
}

/** ccxt's tables of a venue's codes; some venues have one for each market besides the common one. */
interface CodeTables {
  exact?: Record<string, unknown>;
  [market: string]: unknown;
}

/** Every code in ccxt's tables of a venue, with its problem by the class that they give it. */
export function listCcxtCodes(exceptions: unknown): Map<string, ExchangeProblem> {
  const codes = new Map<string, ExchangeProblem>();
  const add = ({ exact, ...markets }: CodeTables, isCommon: boolean): void => {
    for (const [code, found] of Object.entries(exact ?? {})) {
      const problem = typeof found === 'function' ? problemOfClass(found.prototype) : null;
      codes.set(code, problem ?? 'bad_response');
    }
    // The market of our accounts; those of the others use some codes for something else.
    if (isCommon && isTables(markets.linear)) add(markets.linear, false);
  };
  if (isTables(exceptions)) add(exceptions, true);
  return codes;
}

const isTables = (value: unknown): value is CodeTables => typeof value === 'object' && value !== null;
