import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import { partOfAum } from '../../traders/part-of-aum.views.ts';

/**
 * `SELECT id, aum, pool_capital, aum_read_at, tab` of the traders of a community in the caller's scope: the trader's own sums for
 * super admins, else those over the caller's providers.
 */
export function tradersOf(tx: AnyTx, communityId: string): RawBuilder<unknown> {
  return tx.scope.kind === 'all'
    ? sql`SELECT t.id, t.aum, t.pool_capital, t.aum_read_at, t.tab FROM trader t WHERE t.community_id = ${communityId}`
    : sql`SELECT s.trader_id AS id, ${partOfAum} AS aum, max(s.pool_capital) AS pool_capital, min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab
        FROM trader_provider s
        WHERE s.community_id = ${communityId} AND ${providerInScope(tx, 's.provider_id')} GROUP BY s.trader_id`;
}

/**
 * The same with `is_part` and `vip_level`: what the whole AUM of a trader decides, also where the caller sees a part
 * (`app.trader_marks`).
 */
export function levelledTradersOf(tx: AnyTx, communityId: string): RawBuilder<unknown> {
  return sql`SELECT s.*, m.is_part, m.vip_level FROM (${tradersOf(tx, communityId)}) s
    JOIN app.trader_marks(ARRAY(SELECT id FROM (${tradersOf(tx, communityId)}) marked)) m ON m.trader_id = s.id`;
}
