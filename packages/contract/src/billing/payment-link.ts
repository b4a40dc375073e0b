import { SUBSCRIPTION_INTERVALS } from '@copydesk/domain/billing';
import { LANGUAGES } from '@copydesk/domain/catalogue';
import { MESSAGE_STATES } from '@copydesk/domain/messages';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, line, timestamp } from '../fields.ts';

// The link by which the owner of a community pays for its subscription: for super admins, who send it, and for the owner,
// who has no account. The link is the only proof, and it allows only to pay.

const language = z.enum(LANGUAGES);

const offered = z.object({
  owner: z.object({
    name: z.string().nullable(),
    /** Whether the platform's bot can write to the owner. */
    has_chat: z.boolean(),
  }),
  language,
  /** What the owner would be sent, without the address of the link. */
  text: z.string(),
  /** The last one. */
  sent: z.object({ at: timestamp, state: z.enum(MESSAGE_STATES), by: z.string() }).nullable(),
});
export type PaymentLink = z.infer<typeof offered>;

const page = z.object({
  language,
  /**
   * plan: choose one; unpaid: something is owed for the present one; paid: nothing is owed; over: nothing can
   * be paid.
   */
  state: z.enum(['plan', 'unpaid', 'paid', 'over']),
  /** What can be chosen, with its price in the owner's language; empty unless a plan is to be chosen. */
  plans: z.array(z.object({ interval: z.enum(SUBSCRIPTION_INTERVALS), label: z.string() })),
  /** Everything else that the page says, in the owner's language. */
  words: z.object({
    title: z.string(),
    plan: z.string(),
    unpaid: z.string(),
    pay: z.string(),
    awaited: z.string(),
    failed: z.string(),
    paid: z.string(),
    over: z.string(),
  }),
});
export type OwnerPayment = z.infer<typeof page>;

const token = { token: line };
const refusals = ['not_found', 'billing_not_configured', 'community_archived', 'already_subscribed'] as const;

export const paymentLinkCalls = entries({
  'GET /api/communities/{id}/payment-link': {
    summary: 'What the owner of a community would be sent with the link to the page where it is paid for',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(offered),
    errors: [...refusals, 'plan_unavailable'],
  },
  'POST /api/communities/{id}/payment-link': {
    summary: 'Sends the owner of a community the link to the page where it is paid for',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(offered),
    errors: [...refusals, 'plan_unavailable', 'owner_unreachable', 'reminded_lately'],
    idempotent: true,
    perMinute: 60,
  },
  'POST /api/community-owner/payment': {
    summary: 'What the owner of a community can pay for, for the link of the message',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject(token),
    answer: ok(page),
    errors: ['link_invalid'],
    perMinute: 60,
  },
  'POST /api/community-owner/payment/page': {
    summary:
      'Opens the page of the payment service, of the plan that the owner has chosen, or of what is unpaid',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject({ ...token, interval: z.enum(SUBSCRIPTION_INTERVALS).nullable() }),
    answer: ok(z.object({ url: z.url() })),
    errors: [
      'link_invalid',
      'billing_not_configured',
      'community_archived',
      'already_subscribed',
      'plan_unavailable',
      'checkout_under_way',
      'billing_unavailable',
    ],
    perMinute: 30,
  },
});
