import type { ExchangeProblem } from '@copydesk/domain';

/** ccxt's error classes. A class that is missing here counts as its nearest listed ancestor. */
const PROBLEMS: Record<string, ExchangeProblem> = {
  AuthenticationError: 'invalid_credentials',
  PermissionDenied: 'insufficient_permission',
  RateLimitExceeded: 'rate_limited',
  DDoSProtection: 'rate_limited',
  InvalidNonce: 'clock_skew',
  RequestTimeout: 'timeout',
  NetworkError: 'venue_unavailable',
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
