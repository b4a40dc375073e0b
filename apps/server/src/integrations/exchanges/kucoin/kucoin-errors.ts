import { headerMs, retryAfterHeader } from '../errors/retry-after.ts';
import { codeUnder, type VenueErrors } from '../errors/venue-errors.ts';

/** https://www.kucoin.com/docs-new/error-code and /docs-new/rate-limit */
export const kucoinErrors: VenueErrors = {
  codeOf: codeUnder('code'),
  codes: {
    400001: 'invalid_credentials',
    400002: 'clock_skew',
    400003: 'invalid_credentials',
    400004: 'invalid_credentials',
    400005: 'invalid_credentials',
    400006: 'ip_not_allowed',
    400007: 'insufficient_permission',
    411100: 'invalid_account',
    401: 'invalid_credentials',
    429: 'rate_limited',
    500: 'venue_unavailable',
    503: 'venue_unavailable',
    429000: 'rate_limited',
    200002: 'rate_limited',
    200003: 'rate_limited',
    1015: 'rate_limited',
    500000: 'venue_unavailable',
    503000: 'venue_unavailable',
  },
  // The rest of the window of 30 s, in ms.
  retryAfterMs: (answer) => headerMs(answer, 'gw-ratelimit-reset') ?? retryAfterHeader(answer) ?? 30_000,
  // Windows are per user; 1015 comes from the firewall before the venue and means our address.
  isAccountLimit: (_answer, code) => code !== '1015' && code !== null,
};
