import { EXPIRING_DAYS } from '@copydesk/domain/attention';
import { KEY_PROBLEMS } from '@copydesk/domain/trading';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

const KEYS = sql.join(KEY_PROBLEMS.map((code) => sql.lit(code)));

/** Accounts of a trader that a new key would let us read, in or out of the caller's scope. */
export const accountsForNewKey = (traderId: RawBuilder<unknown>) => sql`
  SELECT a.exchange, a.provider_id FROM exchange_account a
  WHERE a.trader_id = ${traderId} AND a.removed_at IS NULL AND a.read_error IN (${KEYS})`;

/** Of an account `a`: its exchange ends its key soon, or has, as far as was read. */
export const keyEndsSoon = sql`a.key_expires_at IS NOT NULL
  AND a.key_expires_at < now() + make_interval(days => ${sql.lit(EXPIRING_DAYS)})`;

/** Accounts of a trader whose keys work and end soon, in or out of the caller's scope. */
export const accountsWithEndingKey = (traderId: RawBuilder<unknown>) => sql`
  SELECT a.exchange, a.provider_id, a.key_expires_at FROM exchange_account a
  WHERE a.trader_id = ${traderId} AND a.removed_at IS NULL AND ${keyEndsSoon} AND a.key_expires_at > now()
    AND (a.read_error IS NULL OR a.read_error NOT IN (${KEYS}))`;

/** Those in scope. */
export const ownAccountsWithEndingKey = (tx: Tx, traderId: RawBuilder<unknown>) =>
  sql`${accountsWithEndingKey(traderId)} AND ${providerInScope(tx, 'a.provider_id')}`;

/** Those in scope. */
export const ownAccountsForNewKey = (tx: Tx, traderId: RawBuilder<unknown>) =>
  sql`${accountsForNewKey(traderId)} AND ${providerInScope(tx, 'a.provider_id')}`;
