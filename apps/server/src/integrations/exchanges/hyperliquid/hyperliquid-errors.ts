import { retryAfterHeader } from '../errors/retry-after.ts';
import type { VenueErrors } from '../errors/venue-errors.ts';

/**
 * Answers of /info carry no codes: the status is all there is.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits
 */
export const hyperliquidErrors: VenueErrors = {
  codeOf: () => null,
  codes: {},
  // 422: it could not parse our request.
  statuses: { 400: 'bad_response', 404: 'bad_response', 422: 'bad_response' },
  retryAfterMs: (answer) => retryAfterHeader(answer) ?? 10_000,
  isAccountLimit: () => false,
};
