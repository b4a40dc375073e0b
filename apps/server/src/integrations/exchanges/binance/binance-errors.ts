import { retryAfterHeader } from '../errors/retry-after.ts';
import { codeUnder, type VenueErrors } from '../errors/venue-errors.ts';

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code */
export const binanceErrors: VenueErrors = {
  codeOf: codeUnder('code'),
  codes: {
    '-1000': 'venue_unavailable',
    '-1001': 'venue_unavailable',
    '-1002': 'insufficient_permission',
    '-1003': 'rate_limited',
    '-1004': 'venue_unavailable',
    '-1005': 'ip_not_allowed',
    '-1006': 'venue_unavailable',
    '-1007': 'timeout',
    '-1008': 'venue_unavailable',
    '-1011': 'ip_not_allowed',
    '-1015': 'rate_limited',
    '-1016': 'venue_unavailable',
    '-1021': 'clock_skew',
    '-1022': 'invalid_credentials',
    // A start that is older than the venue remembers.
    '-4166': 'bad_response',
    '-1099': 'invalid_credentials',
    '-1109': 'invalid_account',
    '-2008': 'invalid_credentials',
    '-2014': 'invalid_credentials',
    '-2017': 'key_locked',
    // A wrong key, a foreign address and a missing permission all give this code.
    '-2015': 'credentials_or_ip',
  },
  // Its web firewall counts requests too.
  statuses: { 403: 'rate_limited' },
  // 418 is the ban after requests continued despite 429.
  retryAfterMs: (answer) => retryAfterHeader(answer) ?? (answer.status === 418 ? 120_000 : 60_000),
  // All limits are per address.
  isAccountLimit: () => false,
};
