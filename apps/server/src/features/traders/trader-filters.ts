import type { CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { orderBy, type SortKey } from '../../platform/db/keyset.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';

export type TraderFilters = Omit<CallParsed<'GET /api/traders/export'>['query'], 'orderBy' | 'orderDir'> & {
  /** Instead of a search that few traders answer to: who these are. See `settleSearch`. */
  found?: readonly string[];
};

export type TraderOrder = 'aum' | 'reference_number' | 'telegram_username' | 'created_at';

/**
 * Conditions over `seen`, and over `trader t` for search: all but the tab's.
 * @param community where the community is read: beside the sums, or in the trader where an index of it is walked
 */
export function traderConditions(
  tx: Tx,
  filters: TraderFilters,
  community: 'seen' | 't' = 'seen',
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (filters.community_id)
    conditions.push(sql`${sql.ref(`${community}.community_id`)} = ${filters.community_id}`);
  if (filters.search) conditions.push(sql`t.reference_sort LIKE ${containing(filters.search)}`);
  if (filters.found) conditions.push(sql`seen.id = ANY (${[...filters.found]}::uuid[])`);
  if (filters.provider_id)
    conditions.push(sql`EXISTS (SELECT FROM trader_provider f WHERE f.trader_id = seen.id
      AND f.provider_id = ${filters.provider_id} AND ${providerInScope(tx, 'f.provider_id')})`);
  if (filters.exchange)
    conditions.push(sql`EXISTS (SELECT FROM exchange_account f WHERE f.trader_id = seen.id
      AND f.exchange = ${filters.exchange} AND f.removed_at IS NULL AND ${providerInScope(tx, 'f.provider_id')})`);
  if (filters.below_minimum_balance) conditions.push(sql`${belowMinimum(tx)} IS NOT NULL`);
  return conditions;
}

/**
 * The balance that the community of trader `t` needs, where the AUM that the caller sees (`seen`) is below it; else NULL.
 * A trader without accounts has none at all. While accounts were not read their AUM is not known, and nothing is said.
 */
export const belowMinimum = (tx: Tx) => sql`(
  SELECT m.minimum_balance FROM community m WHERE m.id = t.community_id AND ${communityInScope(tx, 'm.id')}
    AND CASE WHEN seen.aum IS NOT NULL THEN seen.aum < m.minimum_balance
      ELSE NOT EXISTS (SELECT FROM exchange_account x WHERE x.trader_id = t.id AND x.removed_at IS NULL
        AND ${providerInScope(tx, 'x.provider_id')}) END)`;

/** Whether a filter asks about the trader's own columns, beside the sums in scope. */
export const asksTrader = ({ search, below_minimum_balance }: TraderFilters) =>
  search !== undefined || below_minimum_balance === true;

/**
 * A trader is in a tab of the caller's only if it is in that tab of everyone's. Saying so lets the index of the
 * trader's own columns serve an order by them; by AUM the sums in scope have an index themselves. Without an account
 * is a trader for each caller alone: others may see accounts that this one does not.
 */
export function tabConditions(tab: TraderFilters['tab'], orderBy: TraderOrder): RawBuilder<unknown>[] {
  if (!tab) return [];
  if (tab === 'none') return [sql`seen.tab IS NULL`];
  return orderBy === 'aum' ? [sql`seen.tab = ${tab}`] : [sql`seen.tab = ${tab}`, sql`t.tab = ${tab}`];
}

export function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
}

/**
 * The order of a list. Missing values count as the smallest, and the id breaks ties so that one index serves both
 * directions.
 */
export function traderKeys(by: TraderOrder, direction: 'asc' | 'desc'): SortKey[] {
  switch (by) {
    case 'aum':
      return [
        { column: 'seen.aum_rank', type: 'float8', direction },
        { column: 'seen.id', type: 'uuid', direction: direction === 'desc' ? 'asc' : 'desc' },
      ];
    case 'reference_number':
      return byOwnColumn('t.reference_sort', 'text', direction);
    case 'telegram_username':
      return byOwnColumn('t.handle_sort', 'text', direction);
    case 'created_at':
      return byOwnColumn('t.created_at', 'timestamptz', direction);
  }
}

const byOwnColumn = (column: string, type: SortKey['type'], direction: 'asc' | 'desc'): SortKey[] => [
  { column, type, direction },
  { column: 't.id', type: 'uuid', direction },
];

/** PostgreSQL knows of `= x` that one value is left, and does not know it of `IS NULL`: then the order names the column. */
export function traderOrder(keys: readonly SortKey[], tab: TraderFilters['tab']): RawBuilder<unknown> {
  const isByAum = keys[0]?.column === 'seen.aum_rank';
  if (tab !== 'none' || !isByAum) return orderBy(keys);
  return sql`seen.tab ${keys[0]?.direction === 'desc' ? sql`ASC` : sql`DESC`}, ${orderBy(keys)}`;
}

/** A LIKE pattern for a part of a text in lower case, its wildcards taken literally. */
function containing(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
