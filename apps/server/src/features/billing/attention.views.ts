import { sql } from 'kysely';
import { type AttentionSource, aboutCommunity } from '../../core/attention/attention-source.ts';

/** Subscriptions with an unpaid invoice: their owners pay them. */
export const unpaidSubscriptions: AttentionSource = {
  items: () => ({
    from: sql`community_subscription s WHERE s.status <> 'active' AND s.status IN ('past_due', 'unpaid')`,
    subject: sql`s.community_id::text`,
    since: sql`coalesce(s.unpaid_since, s.current_period_end)`,
    code: sql`s.status`,
    turn: sql`'owner'`,
  }),
  about: aboutCommunity,
};
