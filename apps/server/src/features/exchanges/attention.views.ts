import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';
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

/** Accounts of an exchange that no worker has come to for an hour, or whose readings have failed since. */
export const unreadAccounts: AttentionSource = {
  items: (tx) => ({
    from: sql`(${unreadOnes(tx)}) x JOIN exchange_account a ON a.id = x.account_id GROUP BY a.exchange, a.provider_id`,
    subject: sql`a.exchange`,
    providerId: sql`a.provider_id`,
    since: sql`min(x.since)`,
    count: sql`count(*)`,
    // While it lasts, the number grows, and the oldest may be read.
    cause: sql`a.exchange`,
    marksFrom: sql`min(x.since) - interval '1 day'`,
  }),
  about: null,
};
