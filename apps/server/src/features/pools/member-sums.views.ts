import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/**
 * Sums over the members of pools in scope: those of a pool for super admins, those of its providers for staff. A member
 * that several providers of the caller see counts once.
 * @returns a query of `pooled_account_id`, `capital_units`, `pending_units` and `member_count`, without pools that have
 * no such member
 */
export function memberSums(tx: AnyTx): RawBuilder<unknown> {
  if (tx.scope.kind === 'all')
    return sql`SELECT s.pooled_account_id, s.capital_units, s.pending_units, s.member_count FROM pool_sum s`;
  const ofProviders = (condition: RawBuilder<unknown>) => sql`
    SELECT s.pooled_account_id, s.capital_units, s.pending_units, s.member_count FROM pool_provider_sum s
    WHERE ${providerInScope(tx, 's.provider_id')} AND ${condition}`;
  const parts =
    tx.scope.providerIds.length === 1
      ? ofProviders(sql`true`)
      : sql`${ofProviders(sql`NOT s.is_shared`)} UNION ALL ${sharedMembers(tx)}`;
  return sql`SELECT s.pooled_account_id, sum(s.capital_units) AS capital_units, sum(s.pending_units) AS pending_units,
      sum(s.member_count)::int AS member_count
    FROM (${parts}) s GROUP BY s.pooled_account_id`;
}

/** Members of traders that several providers see: the sums of the caller's set of providers, if there is such a set. */
const sharedMembers = (tx: AnyTx) => sql`
  SELECT s.pooled_account_id, s.capital_units, s.pending_units, s.member_count FROM pool_set_sum s
  WHERE s.set_id = (SELECT app.provider_set())
  UNION ALL
  SELECT m.pooled_account_id, m.capital_units, m.pending_units, 1 AS member_count
  FROM (SELECT DISTINCT p.trader_id FROM trader_provider p
    WHERE p.is_shared AND ${providerInScope(tx, 'p.provider_id')}) shared
  JOIN pool_member m ON m.trader_id = shared.trader_id
  WHERE (SELECT app.provider_set()) IS NULL AND m.capital_units + m.pending_units > 0`;
