import { z } from 'zod';

const id = z.string().max(200);

/**
 * An event of Clerk (https://clerk.com/docs/guides/development/webhooks/overview). Only ids are read: whatever else the
 * object says may be older than what is known already. Its id is that of its message, in a header.
 */
export const hostedEvent = z.looseObject({
  object: z.literal('event'),
  type: z.string().min(1).max(200),
  /** Milliseconds since 1970. */
  timestamp: z.int().min(0).max(99_999_999_999_999),
  data: z.looseObject({
    id: id.optional(),
    user_id: id.nullish(),
    public_user_data: z.looseObject({ user_id: id.nullish() }).nullish(),
  }),
});
export type HostedEvent = z.output<typeof hostedEvent>;
