import { z } from 'zod';

const id = z.string().max(255);
const reference = z.union([id, z.looseObject({ id })]).nullish();

/**
 * An event of Stripe (https://docs.stripe.com/api/events/object). Only ids are read: whatever else the object says may
 * be older than what is known already.
 */
export const billingEvent = z.looseObject({
  id: z.string().regex(/^evt_\w{1,250}$/),
  object: z.literal('event'),
  type: z.string().min(1).max(200),
  /** Seconds since 1970. */
  created: z.int().min(0).max(99_999_999_999),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().max(300).optional(),
      object: z.string().max(100),
      customer: reference,
      charge: reference,
    }),
  }),
});
export type BillingEvent = z.output<typeof billingEvent>;
