import { randomBytes } from 'node:crypto';
import { DEMO_PRICES } from '@copydesk/simulators/world';
import { findFreePort } from '../platform/process/free-port.ts';

/**
 * The settings by which the demo world reaches its payment service, and the payment service reaches us. A world without
 * simulators sells nothing, whatever the environment says.
 * @param port of the API; 0: unknown, so no event could arrive
 */
export async function billingSettings(areSimulated: boolean, port: number): Promise<Record<string, string>> {
  const none = {
    STRIPE_SECRET_KEY: '',
    STRIPE_WEBHOOK_SECRETS: '',
    STRIPE_PRICE_MONTHLY: '',
    STRIPE_PRICE_YEARLY: '',
  };
  if (!areSimulated || port === 0) return none;
  const billingPort = await findFreePort();
  const secretKey = `sk_test_${randomBytes(18).toString('base64url')}`;
  const webhookSecret = `whsec_${randomBytes(18).toString('base64url')}`;
  const { monthly, yearly } = DEMO_PRICES;
  return {
    SIMULATORS_PORT_BILLING: String(billingPort),
    SIMULATORS_BILLING_KEY: secretKey,
    SIMULATORS_BILLING_WEBHOOK_SECRET: webhookSecret,
    SIMULATORS_BILLING_WEBHOOK_URL: `http://127.0.0.1:${port}/api/webhooks/stripe`,
    STRIPE_API_URL: `http://127.0.0.1:${billingPort}`,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    STRIPE_PRICE_MONTHLY: monthly.id,
    STRIPE_PRICE_YEARLY: yearly.id,
    PLAN_MONTHLY_USD: String(monthly.amount / 100),
    PLAN_YEARLY_USD: String(yearly.amount / 100),
  };
}
