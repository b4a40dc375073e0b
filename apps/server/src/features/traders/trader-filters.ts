import type { Exchange, TraderTab } from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';

export interface TraderFilters {
  tab?: TraderTab;
  search?: string;
  community_id?: string;
  provider_id?: string;
  exchange?: Exchange;
  below_minimum_balance?: boolean;
}

export type TraderOrder = 'aum' | 'reference_number' | 'telegram_username' | 'created_at';

/** Conditions over `seen`, and over `trader t` for search and community: all but the tab's. */
export function traderConditions(tx: Tx, filters: TraderFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (filters.community_id) conditions.push(sql`t.community_id = ${filters.community_id}`);
  if (filters.search) conditions.push(sql`t.reference_sort LIKE ${containing(filters.search)}`);
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
export const asksTrader = ({ community_id, search, below_minimum_balance }: TraderFilters) =>
  community_id !== undefined || search !== undefined || below_minimum_balance === true;

/**
 * A trader is in a tab of the caller's only if it is in that tab of everyone's. Saying so lets the index of the
 * trader's own columns serve an order by them; by AUM the sums in scope have an index themselves.
 */
export function tabConditions(tab: TraderTab | undefined, orderBy: TraderOrder): RawBuilder<unknown>[] {
  if (!tab) return [];
  return orderBy === 'aum' ? [sql`seen.tab = ${tab}`] : [sql`seen.tab = ${tab}`, sql`t.tab = ${tab}`];
}

export function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
}

/**
 * The order of a list. Missing values count as the smallest, and the id breaks ties in the direction of the
 * column, so that one index serves both directions.
 */
export function traderOrder(by: TraderOrder, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const isDescending = direction === 'desc';
  switch (by) {
    case 'aum':
      return isDescending
        ? sql`seen.aum DESC NULLS LAST, seen.id ASC`
        : sql`seen.aum ASC NULLS FIRST, seen.id DESC`;
    case 'reference_number':
      return isDescending ? sql`t.reference_sort DESC, t.id DESC` : sql`t.reference_sort ASC, t.id ASC`;
    case 'telegram_username':
      return isDescending ? sql`t.handle_sort DESC, t.id DESC` : sql`t.handle_sort ASC, t.id ASC`;
    case 'created_at':
      return isDescending ? sql`t.created_at DESC, t.id DESC` : sql`t.created_at ASC, t.id ASC`;
  }
}

/** A LIKE pattern for a part of a text in lower case, its wildcards taken literally. */
function containing(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
