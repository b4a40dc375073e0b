import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/**
 * `trader t` beside `seen (id, aum, aum_read_at, tab)`, the sums that the caller may see of it: the trader's own
 * columns for super admins, else the sum over the caller's providers. Where it can, it walks an index in the
 * order of the list, so that a page costs what it shows and not what is stored.
 * @param byAum whether the rows are wanted in the order of AUM, which for staff is another one than the trader's
 */
export function tradersWithSums(tx: Tx, { byAum }: { byAum: boolean }): RawBuilder<unknown> {
  if (tx.scope.kind === 'all')
    return sql`trader t CROSS JOIN LATERAL (SELECT t.id, t.aum, t.aum_read_at, t.tab) seen`;
  if (byAum) return sql`${sumsInScope(tx)} seen JOIN trader t ON t.id = seen.id`;
  return sql`trader t CROSS JOIN LATERAL (
    SELECT t.id, sum(s.aum) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab
    FROM trader_provider s WHERE s.trader_id = t.id AND ${providerInScope(tx, 's.provider_id')}
    HAVING count(*) > 0) seen`;
}

/** `(id, aum, aum_read_at, tab)` of every trader in scope, without the rest of the trader. */
export function sumsInScope(tx: Tx): RawBuilder<unknown> {
  if (tx.scope.kind === 'all') return sql`trader`;
  // One provider's rows are the sums already, in the order of an index.
  if (tx.scope.providerIds.length === 1)
    return sql`(SELECT s.trader_id AS id, s.aum, s.aum_read_at, s.tab
      FROM trader_provider s WHERE ${providerInScope(tx, 's.provider_id')})`;
  return sql`(SELECT s.trader_id AS id, sum(s.aum) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab
    FROM trader_provider s WHERE ${providerInScope(tx, 's.provider_id')} GROUP BY s.trader_id)`;
}
