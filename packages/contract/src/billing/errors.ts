/** Refusals that only calls of this feature return. */
export const billingErrors = {
  billing_not_configured: {
    status: 409,
    message: 'Subscriptions are not set up on this server: it has no keys of the payment service',
  },
  billing_unavailable: { status: 503, message: 'The payment service cannot be reached. Please try again.' },
  already_subscribed: {
    status: 409,
    message: 'This community is subscribed already. Manage its subscription instead.',
  },
  no_customer: { status: 409, message: 'This community has never subscribed: there is nothing to manage' },
  plan_unavailable: { status: 409, message: 'This plan is not offered at present' },
  checkout_under_way: {
    status: 409,
    message: 'Another checkout of this community has just begun. Please try again in a moment.',
  },
} as const;
