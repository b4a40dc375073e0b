import type { ExchangeProblem } from '@copydesk/domain/trading';
import { GatewayError } from '../gateway.ts';
import type { CallRecord, VenueAnswer } from '../transport/current-call.ts';
import type { VenueErrors } from './venue-errors.ts';

/** The meaning of a status alone, on any venue. */
function problemOfStatus(status: number): ExchangeProblem | null {
  if (status === 429 || status === 418) return 'rate_limited';
  if (status === 504 || status === 408) return 'timeout';
  return status >= 500 || status === 407 ? 'venue_unavailable' : null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Letters and digits only: a code may reach logs and screens, a text of the venue never does. */
const printable = (code: string | null): string | null =>
  code !== null && /^-?[A-Za-z0-9]{1,12}$/.test(code) ? code : null;

export interface Failure {
  error: GatewayError;
  /** The requests that must wait after `rate_limited`. */
  limited: 'venue' | 'account' | null;
  /** A code that is in no list of the venue's codes; null: there is none, or it is known. */
  unknownCode: string | null;
}

function describeAnswer(
  thrown: unknown,
  answer: VenueAnswer,
  { venue, problemInLists, nowMs }: FailureContext,
): Failure {
  const code = venue.codeOf(parse(answer.body));
  const own = code !== null && Object.hasOwn(venue.codes, code) ? venue.codes[code] : undefined;
  const listed = code === null ? null : problemInLists(code);
  const problem =
    own ??
    venue.statuses?.[answer.status] ??
    problemOfStatus(answer.status) ??
    listed ??
    problemOfClass(thrown) ??
    'bad_response';
  const isLimited = problem === 'rate_limited';
  const retryAfterMs = isLimited ? venue.retryAfterMs(answer, nowMs) : null;
  const venueCode = printable(code) ?? (answer.status >= 400 ? `http${answer.status}` : null);
  return {
    error: new GatewayError(problem, { venueCode, retryAfterMs }),
    limited: isLimited ? (venue.isAccountLimit(answer, code) ? 'account' : 'venue') : null,
    unknownCode:
      code === null || own !== undefined || listed !== null ? null : (printable(code) ?? 'unprintable'),
  };
}

interface FailureContext {
  venue: VenueErrors;
  /** The meaning of a code in ccxt's tables of the venue, by the class that they give it; null: they do not have it. */
  problemInLists: (code: string) => ExchangeProblem | null;
  nowMs: number;
}

/**
 * The meaning of a failed call, in our words: by the venue's code first, then its status, then the
 * class of ccxt's tables, which is the same at any address, then that of its error. Messages
 * are dropped, since some venues echo signed content.
 */
export function describeFailure(thrown: unknown, record: CallRecord, context: FailureContext): Failure {
  if (thrown instanceof GatewayError) return { error: thrown, limited: null, unknownCode: null };
  if (record.answer) return describeAnswer(thrown, record.answer, context);
  // Nothing was sent: ccxt could not sign with these credentials, such as half a PEM file as secret.
  const problem = problemOfClass(thrown) ?? (record.sent === 0 ? 'invalid_credentials' : 'bad_response');
  return { error: new GatewayError(problem), limited: null, unknownCode: null };
}

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
function problemOfClass(error: unknown): ExchangeProblem | null {
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
