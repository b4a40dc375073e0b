import { KEY_PROBLEMS } from '@copydesk/domain/trading';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

const KEYS = sql.join(KEY_PROBLEMS.map((code) => sql.lit(code)));

/** Accounts of a trader that a new key would let us read, whoever sees them. */
export const accountsForNewKey = (traderId: RawBuilder<unknown>) => sql`
  SELECT a.exchange, a.provider_id FROM exchange_account a
  WHERE a.trader_id = ${traderId} AND a.removed_at IS NULL AND a.read_error IN (${KEYS})`;

/** Those in scope. */
export const ownAccountsForNewKey = (tx: Tx, traderId: RawBuilder<unknown>) =>
  sql`${accountsForNewKey(traderId)} AND ${providerInScope(tx, 'a.provider_id')}`;
