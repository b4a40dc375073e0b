import type { webhookContract } from '@copydesk/contract';
import type { Config } from '../config.ts';
import { createStripeWebhook } from '../features/billing/stripe.webhook.ts';
import { createClerkWebhook } from '../features/people/hosted/clerk.webhook.ts';
import { createTradingBotWebhook } from '../features/pools/harvest/trading-bot.webhook.ts';
import { createStripeVerifier } from '../integrations/billing/stripe-signature.ts';
import { createAcknowledgementVerifier } from '../integrations/trading-bot/acknowledgement.ts';
import type { Database } from '../platform/db/database.ts';
import type { WebhookHandlers } from '../platform/http/webhooks/mount-webhooks.ts';
import type { VerifySignature } from '../platform/http/webhooks/webhook-gate.ts';
import type { HostedSettings } from '../platform/identity/hosted/hosted-settings.ts';

/** Without a secret, no signature is genuine. */
const refuseAll: VerifySignature = () => null;

/** The handlers of vendors' calls, each with the verifier of its signature. */
export async function createWebhooks({
  config,
  db,
  now,
}: {
  config: Config;
  db: Database;
  now: () => Date;
}): Promise<{
  handlers: WebhookHandlers<typeof webhookContract>;
  verifiers: Record<keyof typeof webhookContract, VerifySignature>;
}> {
  const [secret, ...others] = config.tradingBot.ackSecrets;
  const [stripeSecret, ...otherStripeSecrets] = config.billing?.webhookSecrets ?? [];
  return {
    handlers: {
      ...createTradingBotWebhook({ db, now }),
      ...createStripeWebhook({ db }),
      ...createClerkWebhook({ db, now }),
    },
    verifiers: {
      'POST /api/webhooks/trading-bot': secret
        ? createAcknowledgementVerifier([secret, ...others])
        : refuseAll,
      'POST /api/webhooks/stripe': stripeSecret
        ? createStripeVerifier([stripeSecret, ...otherStripeSecrets])
        : refuseAll,
      'POST /api/webhooks/clerk': config.hosted ? await verifierOf(config.hosted) : refuseAll,
    },
  };
}

/** Loads the vendor's code only where it is configured. */
async function verifierOf({ webhookSecret }: HostedSettings): Promise<VerifySignature> {
  const { createHostedWebhookVerifier } = await import('../platform/identity/hosted/webhook-signature.ts');
  return createHostedWebhookVerifier(webhookSecret);
}
