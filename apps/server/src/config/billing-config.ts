import { StartError } from '../platform/process/start-error.ts';
import type { Environment } from './environment.ts';

/** Keys of Stripe without prices, or prices without a webhook, would take money and never notice. */
export function requireWholeBilling(e: Environment): void {
  const isGiven = {
    STRIPE_SECRET_KEY: e.STRIPE_SECRET_KEY !== undefined,
    STRIPE_WEBHOOK_SECRETS: e.STRIPE_WEBHOOK_SECRETS.length > 0,
    STRIPE_PRICE_MONTHLY: e.STRIPE_PRICE_MONTHLY !== undefined,
    STRIPE_PRICE_YEARLY: e.STRIPE_PRICE_YEARLY !== undefined,
  };
  const missing = Object.entries(isGiven).flatMap(([name, given]) => (given ? [] : name));
  if (missing.length > 0 && missing.length < Object.keys(isGiven).length)
    throw new StartError(
      `The configuration is wrong:\n${missing.map((name) => `  ${name}: is missing beside the other settings of Stripe`).join('\n')}`,
    );
}

/** Null: subscriptions are not set up. */
export function billingOf(e: Environment) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PRICE_MONTHLY: monthly, STRIPE_PRICE_YEARLY: yearly } = e;
  if (secretKey === undefined || monthly === undefined || yearly === undefined) return null;
  return {
    secretKey,
    webhookSecrets: e.STRIPE_WEBHOOK_SECRETS,
    prices: { monthly, yearly },
    apiUrl: e.STRIPE_API_URL,
    timeoutMs: e.STRIPE_TIMEOUT_MS,
  };
}
