import { retryAfterHeader } from '../errors/retry-after.ts';
import { codeUnder, type VenueErrors } from '../errors/venue-errors.ts';

/** https://www.okx.com/docs-v5/en/#error-code */
export const okxErrors: VenueErrors = {
  codeOf: codeUnder('code'),
  codes: {
    50001: 'venue_unavailable',
    50004: 'timeout',
    50005: 'venue_unavailable',
    50007: 'invalid_account',
    50008: 'invalid_credentials',
    50009: 'invalid_account',
    50011: 'rate_limited',
    50013: 'venue_unavailable',
    50010: 'invalid_credentials',
    50026: 'venue_unavailable',
    50030: 'insufficient_permission',
    50061: 'rate_limited',
    50100: 'invalid_credentials',
    50101: 'invalid_credentials',
    50102: 'clock_skew',
    50103: 'invalid_credentials',
    50104: 'invalid_credentials',
    50105: 'invalid_credentials',
    50106: 'invalid_credentials',
    50107: 'invalid_credentials',
    50110: 'ip_not_allowed',
    50111: 'invalid_credentials',
    50112: 'clock_skew',
    50113: 'invalid_credentials',
    50114: 'insufficient_permission',
    50119: 'invalid_credentials',
    50120: 'insufficient_permission',
  },
  // Every window is two seconds long.
  retryAfterMs: (answer) => retryAfterHeader(answer) ?? 2_000,
  // Limits of private calls are per user.
  isAccountLimit: (_answer, code) => code === '50011' || code === '50061',
};
