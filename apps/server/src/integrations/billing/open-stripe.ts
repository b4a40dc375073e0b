import type Stripe from 'stripe';
import { BillingError, type BillingProblem } from './gateway.ts';

export interface StripeSettings {
  secretKey: string;
  /** As in https://api.stripe.com. */
  apiUrl: string;
  timeoutMs: number;
}

/** The version of the API whose shapes we read (docs.stripe.com/api/versioning), whatever the account's default is. */
const API_VERSION = '2026-10-28.endive';
const RETRIES = 1;

/** The vendor's library, loaded with the first request: most installations never need it. */
export function openStripe({ secretKey, apiUrl, timeoutMs }: StripeSettings): () => Promise<Stripe> {
  const { hostname, port, protocol } = new URL(apiUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  let opened: Promise<Stripe> | undefined;
  return () => {
    opened ??= import('stripe').then(
      ({ default: Library }) =>
        new Library(secretKey, {
          apiVersion: API_VERSION,
          host: hostname,
          port: port || (scheme === 'http' ? '80' : '443'),
          protocol: scheme,
          timeout: timeoutMs,
          maxNetworkRetries: RETRIES,
          telemetry: false,
        }),
    );
    return opened;
  };
}

const BY_TYPE: Record<string, BillingProblem> = {
  StripeConnectionError: 'unavailable',
  StripeAPIError: 'unavailable',
  StripeRateLimitError: 'rate_limited',
  StripeIdempotencyError: 'conflict',
};

/** An error of the library as one of ours. Its message may quote the key, and its request the body: neither is kept. */
export function toBillingError(error: unknown): BillingError {
  if (error instanceof BillingError) return error;
  const { type, statusCode, code, requestId } = error as {
    type?: string;
    statusCode?: number;
    code?: string;
    requestId?: string;
  };
  const request = typeof requestId === 'string' ? requestId : null;
  if (statusCode === 404 || code === 'resource_missing') return new BillingError('not_found', request);
  if (statusCode === 409) return new BillingError('conflict', request);
  const known = BY_TYPE[type ?? ''];
  if (known) return new BillingError(known, request);
  return new BillingError(typeof statusCode === 'number' ? 'refused' : 'bad_response', request);
}
