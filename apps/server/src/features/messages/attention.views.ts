import { sql } from 'kysely';
import { aboutCommunity, aboutTrader, type SummedSource } from '../../core/attention/attention-source.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { missedOwner, missedTrader } from './message-outcomes.ts';

/** Traders who got none of the messages since the last that reached them. */
export const failedMessages: SummedSource = {
  items: (tx) => ({
    from: sql`message m WHERE ${missedTrader}
        AND ${providerInScope(tx, 'm.provider_id')} AND ${traderInScope(tx, 'm.trader_id')}
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
export const unreachedOwners: SummedSource = {
  items: () => ({
    from: sql`message m WHERE ${missedOwner}
      GROUP BY m.community_id`,
    subject: sql`m.community_id::text`,
    since: sql`min(m.created_at)`,
    code: sql`max(m.problem)`,
    count: sql`count(*)`,
  }),
  about: aboutCommunity,
};
