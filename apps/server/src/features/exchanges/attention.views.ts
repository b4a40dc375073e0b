import { UNREAD_MINUTES } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** Problems that pass without a person, unless they last: they are counted by exchange. */
const PASSING = sql`('clock_skew', 'rate_limited', 'venue_unavailable', 'timeout', 'bad_response')`;

/** Keys that an exchange refuses, and accounts that it does not let be read. */
export const failingKeys: AttentionSource = {
  items: (tx) => ({
    from: sql`exchange_account a JOIN account_reading r ON r.account_id = a.id
      WHERE a.removed_at IS NULL AND a.read_error IS NOT NULL AND a.read_error NOT IN ${PASSING}
        AND ${providerInScope(tx, 'a.provider_id')}`,
    subject: sql`a.id::text`,
    providerId: sql`a.provider_id`,
    // The figures are as old as that.
    since: sql`coalesce(a.equity_read_at, a.connected_at)`,
    code: sql`a.read_error`,
  }),
  about: {
    from: sql`exchange_account a JOIN trader t ON t.id = a.trader_id WHERE a.id = i.subject::uuid`,
    columns: {
      title: sql`coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name, left(t.id::text, 8))`,
      detail: sql`a.exchange`,
      traderId: sql`t.id`,
      communityId: sql`t.community_id`,
    },
  },
};

/** Accounts of an exchange that no worker has come to for an hour, or whose readings have failed since. */
export const unreadAccounts: AttentionSource = {
  items: (tx) => ({
    from: sql`(
        SELECT r.exchange, r.provider_id, r.due_at AS since FROM account_reading r
        WHERE r.due_at < now() - make_interval(mins => ${sql.lit(UNREAD_MINUTES)}) AND ${providerInScope(tx, 'r.provider_id')}
          AND EXISTS (SELECT FROM exchange_account a WHERE a.id = r.account_id AND a.removed_at IS NULL OFFSET 0)
        UNION ALL
        SELECT a.exchange, a.provider_id, coalesce(a.equity_read_at, a.connected_at) FROM exchange_account a
        WHERE a.removed_at IS NULL AND a.read_error IS NOT NULL AND a.read_error IN ${PASSING}
          AND coalesce(a.equity_read_at, a.connected_at) < now() - make_interval(mins => ${sql.lit(UNREAD_MINUTES)})
          AND ${providerInScope(tx, 'a.provider_id')}) x
      GROUP BY x.exchange, x.provider_id`,
    subject: sql`x.exchange`,
    providerId: sql`x.provider_id`,
    since: sql`min(x.since)`,
    count: sql`count(*)`,
    // While it lasts, the number grows, and the oldest may be read.
    cause: sql`x.exchange`,
    marksFrom: sql`min(x.since) - interval '1 day'`,
  }),
  about: null,
};
