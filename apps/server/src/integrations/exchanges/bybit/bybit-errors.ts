import { retryAfterHeader } from '../errors/retry-after.ts';
import { codeUnder, type VenueErrors } from '../errors/venue-errors.ts';

const TEN_MINUTES = 600_000;

/**
 * Our code for a parameter error (10001) about a range that is too old. Only its text differs from other parameter
 * errors: "Can't query order earlier than 2 years, please check your params: startTime or endTime!"
 */
export const RANGE_TOO_OLD = '10001tooOld';
const TOO_OLD = /\bearlier than \d+ (years|months|days)\b/i;

const retCodeOf = codeUnder('retCode');
const retMsgOf = codeUnder('retMsg');

function codeOf(body: unknown): string | null {
  const code = retCodeOf(body);
  return code === '10001' && TOO_OLD.test(retMsgOf(body) ?? '') ? RANGE_TOO_OLD : code;
}

/** https://bybit-exchange.github.io/docs/v5/error and /docs/v5/rate-limit */
export const bybitErrors: VenueErrors = {
  codeOf,
  codes: {
    // The request was created too long ago.
    '-1': 'clock_skew',
    429: 'rate_limited',
    10000: 'timeout',
    10001: 'bad_response',
    [RANGE_TOO_OLD]: 'bad_response',
    10002: 'clock_skew',
    10003: 'invalid_credentials',
    10004: 'invalid_credentials',
    10005: 'insufficient_permission',
    10006: 'rate_limited',
    10007: 'invalid_credentials',
    10008: 'invalid_credentials',
    10009: 'ip_not_allowed',
    10010: 'ip_not_allowed',
    10016: 'venue_unavailable',
    10018: 'rate_limited',
    10024: 'insufficient_permission',
    10027: 'insufficient_permission',
    // Only for unified accounts.
    10028: 'classic_account',
    10029: 'insufficient_permission',
    100028: 'unsupported_account_mode',
    33004: 'invalid_credentials',
    // Of the calls for wallets, transfers, deposits and withdrawals.
    131001: 'venue_unavailable',
    131003: 'venue_unavailable',
    131200: 'venue_unavailable',
    131201: 'venue_unavailable',
    131205: 'venue_unavailable',
    131216: 'venue_unavailable',
    131230: 'venue_unavailable',
    // The subaccount is unknown to this master account.
    131202: 'unsupported',
    131209: 'unsupported',
  },
  // Too many requests from one address are refused for ten minutes, without a code.
  statuses: { 403: 'rate_limited' },
  retryAfterMs(answer, nowMs) {
    if (answer.status === 403) return TEN_MINUTES;
    const resetAt = Number(answer.headers['x-bapi-limit-reset-timestamp']);
    const untilReset = resetAt - nowMs;
    const isSoon = untilReset > 0 && untilReset < 60_000; // false when the header is missing: NaN
    return retryAfterHeader(answer) ?? (isSoon ? untilReset : 1_000);
  },
  isAccountLimit: (_answer, code) => code === '10006',
};
