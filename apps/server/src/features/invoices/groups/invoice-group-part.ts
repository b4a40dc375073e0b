import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

/**
 * Over a group `g`: whether its traders have invoices outside the caller's scope, so its sums are partial. Each cached
 * row of a provider has the trader's invoice count over all providers.
 */
export function seesPart(tx: AnyTx): RawBuilder<unknown> {
  if (tx.scope.kind === 'all') return sql`false`;
  const hasOthers = (whose: RawBuilder<unknown>) => sql`EXISTS (
    SELECT FROM invoice_group w
    WHERE ${whose} AND w.is_archived = g.is_archived AND NOT w.is_whole AND ${providerInScope(tx, 'w.provider_id')}
    GROUP BY w.trader_id HAVING sum(w.invoices) < max(w.whole_invoices))`;
  return sql`CASE WHEN g.trader_id IS NULL THEN ${hasOthers(sql`w.reference IS NULL`)}
    ELSE ${hasOthers(sql`w.trader_id = g.trader_id`)} END`;
}
