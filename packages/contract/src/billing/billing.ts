import {
  PAYMENT_NOTICES,
  PLAN_FEATURES,
  SUBSCRIPTION_INTERVALS,
  SUBSCRIPTION_STATES,
} from '@copydesk/domain/billing';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, id, timestamp } from '../fields.ts';

const interval = z.enum(SUBSCRIPTION_INTERVALS);

/** What everyone in the scope of a community sees of its subscription. */
const summary = {
  community_id: id,
  /** Whether everything that a plan sells is open, a trial and the grace period included. */
  is_active: z.boolean(),
  interval: interval.nullable(),
  current_period_end: timestamp.nullable(),
};

/** A subscription as it was last read at the payment service. */
const facts = {
  ...summary,
  status: z.enum(SUBSCRIPTION_STATES),
  /** It ends with the period, and is not renewed. */
  cancel_at_period_end: z.boolean(),
  trial_end: timestamp.nullable(),
  /** A payment is missing since then. */
  unpaid_since: timestamp.nullable(),
  /** Everything stays open until then, although a payment is missing. */
  grace_until: timestamp.nullable(),
  /** When it closed; null: it is open, or there never was one. */
  closed_at: timestamp.nullable(),
  /** About the last payment. */
  payment_notice: z.enum(PAYMENT_NOTICES).nullable(),
  /** The payment service bills more than one subscription of this community. */
  has_duplicate: z.boolean(),
  /** When it was last read at the payment service; null: never. */
  read_at: timestamp.nullable(),
  /** Whether there is something to manage at the payment service. */
  has_customer: z.boolean(),
};

/** The same for every community of this server. */
const offer = {
  /** Whether subscriptions can be bought and managed here at all. */
  is_configured: z.boolean(),
  /** Prices in USD; null: not offered. */
  plans: z.object({ monthly: z.string().nullable(), yearly: z.string().nullable() }),
};

const subscription = z.object({ ...facts, ...offer, allows: z.array(z.enum(PLAN_FEATURES)) });

const listed = z.object({ ...facts, community: z.string(), is_archived: z.boolean() });

const link = ok(z.object({ url: z.url() }));
/** For calls that change or end what a community pays us. */
const guarded = { permission: 'super', recentAuth: true } as const;
const failures = ['not_found', 'billing_not_configured', 'billing_unavailable'] as const;

/** Subscriptions of communities to the platform, through Stripe. */
export const billingCalls = entries({
  'GET /api/subscriptions': {
    summary:
      'The subscriptions of all communities in scope, by name, as last read at the payment service. Communities without one are among them; archived ones only while theirs is not over',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    answer: page(listed, offer),
    errors: [],
  },
  'GET /api/communities/{id}/subscription': {
    summary: 'The subscription of a community, as last read at the payment service',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(subscription),
    errors: ['not_found'],
  },
  'GET /api/traders/{id}/subscription': {
    summary: "The subscription of the trader's community",
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: ok(z.object(summary)),
    errors: ['not_found'],
  },
  'POST /api/communities/{id}/checkout': {
    summary: 'Opens the page of the payment service where a community subscribes',
    ...guarded,
    params: byId,
    body: z.strictObject({ interval }),
    answer: link,
    errors: [
      ...failures,
      'community_archived',
      'already_subscribed',
      'plan_unavailable',
      'checkout_under_way',
    ],
    idempotent: true,
    perMinute: 60,
  },
  'POST /api/communities/{id}/customer-portal': {
    summary: 'Opens the page of the payment service where a subscription is changed or cancelled',
    ...guarded,
    params: byId,
    answer: link,
    errors: [...failures, 'no_customer'],
    perMinute: 60,
  },
});
