import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { type InvoiceFilters, rowConditions } from '../list/invoice-filters.ts';
import { archivedIn, type GroupOrder, keyOf, sourceOf } from './invoice-group-sources.ts';
import { keyColumnsOf } from './invoice-groups.ts';

/**
 * `SELECT trader_id, is_archived` and the sort keys of the traders without a reference number, each a group: the
 * unfolded rows of `unknown`. They are summed from rows, like the group of all of them.
 */
export function unknownByTrader(
  tx: AnyTx,
  filters: InvoiceFilters,
  { isArchived, by }: { isArchived: boolean; by: GroupOrder },
): RawBuilder<unknown> {
  const of = sourceOf(tx, filters);
  return sql`SELECT one.trader_id, one.is_archived, ${keyColumnsOf(by, sql`one.key`, sql`one.trader_id`)} FROM (
    SELECT i.trader_id, i.is_archived, ${keyOf(of, by)} AS key FROM ${of.table} i
    WHERE ${unknownRows(tx, filters, isArchived)} GROUP BY i.trader_id, i.is_archived) one`;
}

export async function countUnknownTraders(
  tx: AnyTx,
  filters: InvoiceFilters,
  isArchived: boolean,
): Promise<number> {
  const { rows } = await sql<{ traders: number }>`
    SELECT count(DISTINCT i.trader_id)::int AS traders FROM ${sourceOf(tx, filters).table} i
    WHERE ${unknownRows(tx, filters, isArchived)}`.execute(tx.sql);
  return rows[0]?.traders ?? 0;
}

const unknownRows = (tx: AnyTx, filters: InvoiceFilters, isArchived: boolean) => sql`
  ${rowConditions(tx, filters)} AND ${sourceOf(tx, filters).isUnknownRow}
  AND ${archivedIn(isArchived ? 'archived' : 'all')} AND ${traderInScope(tx, 'i.trader_id')}`;
