import { UNREAD_MINUTES } from '@copydesk/domain/attention';
import { type AccountState, PASSING_PROBLEMS } from '@copydesk/domain/trading';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

// Of an account `a`, in one place: Attention counts exactly what the list shows.

const PASSING = sql`(${sql.join(PASSING_PROBLEMS.map((code) => sql.lit(code)))})`;
const longAgo = sql`now() - make_interval(mins => ${sql.lit(UNREAD_MINUTES)})`;

/** When the figures of the account are from. */
export const lastRead = sql`coalesce(a.equity_read_at, a.connected_at)`;

/** An account of a trader, as long as it is not removed. */
export const isConnected = (tx: AnyTx) =>
  sql`a.removed_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}`;

/** Its key is refused, or the exchange does not let it be read. */
export const isFailing = sql`(a.read_error IS NOT NULL AND a.read_error NOT IN ${PASSING})`;

/**
 * Accounts that no worker has read for an hour, or whose readings have failed that long with a temporary
 * problem: each once, as `account_id`, with `since`. Failing accounts are excluded.
 */
export const unreadAccounts = (tx: AnyTx): RawBuilder<unknown> => sql`
  SELECT u.account_id, min(u.since) AS since FROM (
    SELECT r.account_id, r.due_at AS since FROM account_reading r
    WHERE r.due_at < ${longAgo} AND ${providerInScope(tx, 'r.provider_id')}
    UNION ALL
    SELECT a.id, ${lastRead} FROM exchange_account a
    WHERE a.read_error IS NOT NULL AND a.read_error IN ${PASSING} AND ${lastRead} < ${longAgo} AND ${isConnected(tx)}) u
  JOIN exchange_account a ON a.id = u.account_id AND NOT ${isFailing} AND ${isConnected(tx)}
  GROUP BY u.account_id`;

/** In a statement with `unread`, the accounts of the function above. */
const isUnread = sql`a.id IN (SELECT account_id FROM unread)`;

/** Same condition as the index of accounts without a figure. */
const isNew = sql`(a.equity IS NULL AND a.equity_read_at IS NULL)`;

/** Each account is in one state. */
export const IN_STATE: Readonly<Record<AccountState, RawBuilder<unknown>>> = {
  failing: isFailing,
  unread: isUnread,
  new: sql`${isNew} AND NOT ${isFailing} AND NOT ${isUnread}`,
  read: sql`NOT ${isNew} AND NOT ${isFailing} AND NOT ${isUnread}`,
};

export const stateOf = sql`CASE WHEN ${isFailing} THEN 'failing' WHEN ${isUnread} THEN 'unread'
  WHEN ${isNew} THEN 'new' ELSE 'read' END`;
