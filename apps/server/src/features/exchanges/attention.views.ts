import { EXPIRING_DAYS } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';
import { keyEndsSoon } from '../../core/exchanges/accounts-for-new-key.views.ts';
import { isConnected, isFailing, lastRead, unreadAccounts as unreadOnes } from './accounts/account-states.ts';

/** Keys that an exchange refuses, and accounts that it does not let be read. */
export const failingKeys: AttentionSource = {
  items: (tx) => ({
    from: sql`exchange_account a WHERE ${isFailing} AND ${isConnected(tx)}`,
    subject: sql`a.id::text`,
    providerId: sql`a.provider_id`,
    since: lastRead,
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

/** Keys that an exchange ends soon, while they still work. */
export const expiringKeys: AttentionSource = {
  items: (tx) => ({
    from: sql`exchange_account a WHERE ${keyEndsSoon} AND NOT ${isFailing} AND ${isConnected(tx)}`,
    subject: sql`a.id::text`,
    providerId: sql`a.provider_id`,
    since: sql`a.key_expires_at - make_interval(days => ${sql.lit(EXPIRING_DAYS)})`,
    count: sql`greatest(floor(extract(epoch FROM a.key_expires_at - now()) / 86400), 0)`,
    // The end of the key, not the days left, which change every day.
    cause: sql`app.iso(a.key_expires_at)`,
  }),
  about: failingKeys.about,
};

/** Accounts of an exchange that no worker has read for an hour, or whose readings have failed that long. */
export const unreadAccounts: AttentionSource = {
  items: (tx) => ({
    from: sql`(${unreadOnes(tx)}) x JOIN exchange_account a ON a.id = x.account_id GROUP BY a.exchange, a.provider_id`,
    subject: sql`a.exchange`,
    providerId: sql`a.provider_id`,
    since: sql`min(x.since)`,
    count: sql`count(*)`,
    // While it lasts, the number grows and the oldest account may be read, so neither identifies the cause.
    cause: sql`a.exchange`,
    marksFrom: sql`min(x.since) - interval '1 day'`,
  }),
  about: null,
};
