import { sql } from 'kysely';
import { type AttentionSource, aboutCommunity, aboutTrader } from '../../core/attention/attention-source.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** Older ones are history: whoever is owed an answer has written again. */
const LATELY = sql`m.created_at > now() - interval '30 days'`;

/** Traders who got none of the messages since the last that reached them. */
export const failedMessages: AttentionSource = {
  items: (tx) => ({
    from: sql`message m WHERE m.state = 'failed' AND m.trader_id IS NOT NULL AND ${LATELY}
        AND ${providerInScope(tx, 'm.provider_id')} AND ${traderInScope(tx, 'm.trader_id')}
        -- One lookup a message: EXISTS would be hashed over all messages.
        AND NOT coalesce((SELECT true FROM message s WHERE s.trader_id = m.trader_id AND s.created_at > m.created_at
          AND s.state = 'sent' ORDER BY s.created_at DESC LIMIT 1), false)
      GROUP BY m.trader_id, m.provider_id`,
    subject: sql`m.trader_id::text`,
    providerId: sql`m.provider_id`,
    since: sql`min(m.created_at)`,
    code: sql`max(m.problem)`,
    count: sql`count(*)`,
  }),
  about: aboutTrader,
};

/** Owners of communities who got none of the messages since the last that reached them. For super admins. */
export const unreachedOwners: AttentionSource = {
  items: () => ({
    from: sql`message m WHERE m.state = 'failed' AND m.community_id IS NOT NULL AND ${LATELY}
        AND NOT coalesce((SELECT true FROM message s WHERE s.community_id = m.community_id
          AND s.created_at > m.created_at AND s.state = 'sent' ORDER BY s.created_at DESC LIMIT 1), false)
      GROUP BY m.community_id`,
    subject: sql`m.community_id::text`,
    since: sql`min(m.created_at)`,
    code: sql`max(m.problem)`,
    count: sql`count(*)`,
  }),
  about: aboutCommunity,
};
