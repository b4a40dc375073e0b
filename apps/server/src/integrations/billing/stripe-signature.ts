import { createTimestampedHmac } from '../../platform/http/webhooks/timestamped-hmac.ts';
import type { VerifySignature } from '../../platform/http/webhooks/webhook-gate.ts';

/**
 * Verifies the signature of Stripe's webhooks (docs.stripe.com/webhooks#verify-manually), for the webhook's gate: the
 * library of Stripe does the same, but with one secret only and on a body that was parsed already.
 * @param secrets of the endpoint; two while one is replaced
 */
export const createStripeVerifier = (secrets: readonly [string, ...string[]]): VerifySignature =>
  createTimestampedHmac({ header: 'stripe-signature', secrets });
