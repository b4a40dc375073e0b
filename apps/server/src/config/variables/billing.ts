import { BILLING_GRACE_DAYS } from '@copydesk/domain/billing';
import { z } from 'zod';
import { splitList } from '../split-list.ts';
import { BOTH, type Variables } from '../variable.ts';

/** Subscriptions of communities. */
export const BILLING_VARIABLES = {
  PLAN_MONTHLY_USD: {
    schema: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,2})?$/)
      .optional(),
    readers: BOTH,
    meaning:
      "Price of a community's subscription by month, on the sign-in page under Pricing. Unset: not offered",
  },
  PLAN_YEARLY_USD: {
    schema: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,2})?$/)
      .optional(),
    readers: BOTH,
    meaning: 'The same by year',
  },
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{8,}$/, 'must be a key of Stripe')
      .optional(),
    readers: BOTH,
    meaning:
      'Key of the account at Stripe that bills communities (`docs/billing.md`). Unset: subscriptions cannot be bought',
  },
  STRIPE_WEBHOOK_SECRETS: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.string().min(8, 'must be secrets of Stripe, separated by commas'))),
    readers: BOTH,
    meaning: "Signing secrets of Stripe's webhooks, separated by commas; two while one is replaced",
  },
  STRIPE_PRICE_MONTHLY: {
    schema: z.string().regex(/^\w+$/, 'must be the id of a price').optional(),
    readers: BOTH,
    meaning: 'Id of the monthly price at Stripe',
  },
  STRIPE_PRICE_YEARLY: {
    schema: z.string().regex(/^\w+$/, 'must be the id of a price').optional(),
    readers: BOTH,
    meaning: 'The same by year. These four belong together',
  },
  STRIPE_API_URL: {
    schema: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
    readers: BOTH,
    meaning: 'Another address of Stripe, for tests',
  },
  STRIPE_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(20_000).default(5_000),
    readers: BOTH,
    meaning: 'How long one request to Stripe may take',
  },
  BILLING_GRACE_DAYS: {
    schema: z.coerce.number().int().min(0).max(90).default(BILLING_GRACE_DAYS),
    readers: BOTH,
    meaning: 'Days for which a community keeps its plan while a payment is missing',
  },
} satisfies Variables;
