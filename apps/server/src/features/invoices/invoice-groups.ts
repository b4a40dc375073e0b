import type { InvoiceTab } from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { traderInScope } from '../../platform/db/scope-filter.ts';
import { type InvoiceFilters, rowConditions } from './invoice-filters.ts';
import { archivedIn, type GroupOrder, keyOf, sourceOf, standsIn } from './invoice-group-sources.ts';

export interface GroupPage extends InvoiceFilters {
  tab: InvoiceTab;
  orderBy: GroupOrder;
  orderDir: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Tabs that a group can be in itself; `other` is shown under All only. */
export type OwnTab = Exclude<InvoiceTab, 'all'> | 'other';
export const ownTabs = (tab: InvoiceTab): OwnTab[] => (tab === 'all' ? ['unpaid', 'paid', 'other'] : [tab]);

/** The column of a kept group that an order goes by. */
export const orderColumn = (by: GroupOrder) =>
  sql.ref({ created_at: 'last_created', updated_at: 'last_updated', amount: 'amount_units' }[by]);

/** The id of the group's trader breaks ties; the group of unknown reference numbers, which has none, stands as if above all. */
export function groupOrder(direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const way = direction === 'desc' ? sql`DESC` : sql`ASC`;
  return sql`key ${way}, trader_id ${way}`;
}

/**
 * `SELECT trader_id, is_archived, key` of the groups of a tab with a reference number, added up from all that matches,
 * by no more than what they are sorted by: this goes over up to all invoices there are, in the order of an index that
 * has them by trader.
 */
export function addedUp(
  tx: Tx,
  filters: InvoiceFilters,
  tab: InvoiceTab,
  by: GroupOrder,
): RawBuilder<unknown> {
  const of = sourceOf(tx, filters);
  const isOfTab = tab === 'paid' || tab === 'unpaid' ? sql`HAVING ${standsIn(tab)}` : sql``;
  return sql`SELECT added.trader_id, ${sql.lit(tab === 'archived')} AS is_archived, added.key FROM (
      SELECT i.trader_id, ${keyOf(of, by)} AS key FROM ${of.table} i
      WHERE ${rowConditions(tx, filters)} AND ${of.isKnownRow} AND ${archivedIn(tab)}
      GROUP BY i.trader_id ${isOfTab} ${ONCE_A_GROUP}) added
    WHERE ${of.isKnownGroup} AND ${traderInScope(tx, 'added.trader_id')}`;
}

/** `SELECT unpaid, paid, other, archived`: how many groups with a reference number there are, added up in the same way. */
export function countedUp(tx: Tx, filters: InvoiceFilters): RawBuilder<unknown> {
  const of = sourceOf(tx, filters);
  return sql`SELECT (count(*) FILTER (WHERE is_unpaid))::int AS unpaid,
      (count(*) FILTER (WHERE is_paid))::int AS paid,
      (count(*) FILTER (WHERE is_current AND NOT is_unpaid AND NOT is_paid))::int AS other,
      (count(*) FILTER (WHERE is_archived))::int AS archived
    FROM (SELECT i.trader_id, bool_or(NOT i.is_archived) AS is_current, bool_or(i.is_archived) AS is_archived,
        ${standsIn('unpaid')} FILTER (WHERE NOT i.is_archived) AS is_unpaid,
        ${standsIn('paid')} FILTER (WHERE NOT i.is_archived) AS is_paid
      FROM ${of.table} i
      WHERE ${rowConditions(tx, filters)} AND ${of.isKnownRow}
      GROUP BY i.trader_id ${ONCE_A_GROUP}) added
    WHERE ${of.isKnownGroup} AND ${traderInScope(tx, 'added.trader_id')}`;
}

/** Keeps the planner from asking the conditions on groups of every row. */
const ONCE_A_GROUP = sql`OFFSET 0`;
