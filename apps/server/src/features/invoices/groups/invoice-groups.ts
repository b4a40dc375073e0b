import type { InvoiceTab } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import type { Reach, SortKey } from '../../../platform/db/lists/keyset.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { type InvoiceFilters, rowConditions } from '../list/invoice-filters.ts';
import { archivedIn, type GroupOrder, keyOf, sourceOf, standsIn } from './invoice-group-sources.ts';

export interface GroupPage extends InvoiceFilters, Reach {
  tab: InvoiceTab;
  orderBy: GroupOrder;
  orderDir: 'asc' | 'desc';
}

/** Tabs of a group; `other` is shown under All only. */
export type OwnTab = Exclude<InvoiceTab, 'all'> | 'other';
export const ownTabs = (tab: InvoiceTab): OwnTab[] => (tab === 'all' ? ['unpaid', 'paid', 'other'] : [tab]);

/**
 * Columns that order a group: the newest or the sum of its rows, then its trader. The group of unknown reference
 * numbers has no trader and sorts above all others.
 */
export function groupKeys(by: GroupOrder, direction: 'asc' | 'desc'): SortKey[] {
  const key = (column: string, type: SortKey['type']): SortKey => ({ column, type, direction });
  const ends = [key('owner', 'uuid')];
  if (by === 'amount') return [key('amount_rank', 'float8'), key('amount_units', 'numeric'), ...ends];
  return [key(by === 'created_at' ? 'last_created' : 'last_updated', 'timestamptz'), ...ends];
}

/** The columns of `groupKeys` over rows that have `trader_id`, and `amount_units` or a time. */
export function keyColumnsOf(by: GroupOrder, key: RawBuilder<unknown>, trader: RawBuilder<unknown>) {
  const owner = sql`coalesce(${trader}, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS owner`;
  return by === 'amount'
    ? sql`(${key})::float8 AS amount_rank, ${key} AS amount_units, ${owner}`
    : sql`${key} AS ${sql.ref(by === 'created_at' ? 'last_created' : 'last_updated')}, ${owner}`;
}

/**
 * `SELECT trader_id, is_archived` and the columns of `groupKeys` of the groups of a tab with a reference number, summed
 * from all matches. It computes only the sort keys, because it may read all invoices, in the order of an index by
 * trader.
 */
export function addedUp(
  tx: AnyTx,
  filters: InvoiceFilters,
  tab: InvoiceTab,
  by: GroupOrder,
): RawBuilder<unknown> {
  const of = sourceOf(tx, filters);
  const isOfTab = tab === 'paid' || tab === 'unpaid' ? sql`HAVING ${standsIn(tab)}` : sql``;
  return sql`SELECT one.trader_id, ${sql.lit(tab === 'archived')} AS is_archived,
      ${keyColumnsOf(by, sql`one.key`, sql`one.trader_id`)}
    FROM (
      SELECT i.trader_id, ${keyOf(of, by)} AS key FROM ${of.table} i
      WHERE ${rowConditions(tx, filters)} AND ${of.isKnownRow} AND ${archivedIn(tab)}
      GROUP BY i.trader_id ${isOfTab} ${ONCE_A_GROUP}) one
    WHERE ${filters.found ? of.isOneKnown : of.isKnownGroup} AND ${traderInScope(tx, 'one.trader_id')}`;
}

/** `SELECT unpaid, paid, other, archived`: the number of groups with a reference number, computed the same way. */
export function countedUp(tx: AnyTx, filters: InvoiceFilters): RawBuilder<unknown> {
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

/** Keeps the planner from evaluating group conditions for every row. */
const ONCE_A_GROUP = sql`OFFSET 0`;
