import { z } from 'zod';
import { billingEvent } from './billing/billing-event.ts';
import { webhooks } from './entry.ts';
import { hostedEvent } from './people/hosted-event.ts';
import { tradingBotEvent } from './pools/trading-bot.ts';

/** The calls of vendors. The server does not compile without a handler and a verifier for each. */
export const webhookContract = webhooks({
  'POST /api/webhooks/trading-bot': {
    summary: 'The trading bot has paused or resumed the trading of a pool',
    signature: { scheme: 'HMAC-SHA256', header: 'trading-bot-signature', secret: 'TRADING_BOT_ACK_SECRETS' },
    toleranceSeconds: 300,
    maxBodyBytes: 16_384,
    perMinute: 600,
    event: tradingBotEvent,
    /** False: the event is of an earlier command, and changes nothing. */
    answer: z.object({ success: z.literal(true), is_current: z.boolean() }),
    errors: [],
  },
  'POST /api/webhooks/clerk': {
    summary: 'Something has happened to a person, a session or a request for access at Clerk',
    signature: { scheme: 'HMAC-SHA256', header: 'svix-signature', secret: 'CLERK_WEBHOOK_SECRET' },
    toleranceSeconds: 300,
    // A person with many addresses and organisations.
    maxBodyBytes: 262_144,
    // Clerk sends from few addresses, and all at once after an import of people.
    perMinute: 20_000,
    event: hostedEvent,
    answer: z.object({ success: z.literal(true) }),
    errors: [],
  },
  'POST /api/webhooks/stripe': {
    summary: 'Something has happened to a subscription at Stripe',
    signature: { scheme: 'HMAC-SHA256', header: 'stripe-signature', secret: 'STRIPE_WEBHOOK_SECRETS' },
    toleranceSeconds: 300,
    // An invoice with many lines.
    maxBodyBytes: 262_144,
    // Stripe sends from few addresses, and all renewals of a day at once.
    perMinute: 20_000,
    event: billingEvent,
    answer: z.object({ success: z.literal(true) }),
    errors: [],
  },
});
