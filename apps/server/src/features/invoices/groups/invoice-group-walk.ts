import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { rowConditions } from '../list/invoice-filters.ts';
import { archivedIn, sourceOf, standsIn } from './invoice-group-sources.ts';
import { type GroupPage, keyColumnsOf } from './invoice-groups.ts';

/** Rows that a walk reads, and the deepest page that it serves. */
const ROWS = 500;
const REACH = 100;

/**
 * Groups sorted by newest can be found by walking all matches, newest first: the first row of a trader gives the
 * position of its group.
 */
export const canWalk = ({ orderBy, orderDir, offset, limit, after }: GroupPage): boolean =>
  !after && orderBy !== 'amount' && orderDir === 'desc' && offset + limit <= REACH;

/**
 * `SELECT trader_id, is_archived` and the columns of `groupKeys` of the first groups with a reference number, from the
 * newest matching rows. It returns no rows when these do not fill a page; then all matches are added up.
 */
export function walkedGroups(tx: AnyTx, page: GroupPage): RawBuilder<unknown> {
  const of = sourceOf(tx, page);
  const newest = page.orderBy === 'updated_at' ? of.updated : of.created;
  const conditions = sql`${rowConditions(tx, page)} AND ${of.isKnownRow} AND ${archivedIn(page.tab)}`;
  const isOfTab =
    page.tab === 'paid' || page.tab === 'unpaid'
      ? sql`AND (SELECT ${standsIn(page.tab)} FROM ${of.table} i
          WHERE i.trader_id = one.trader_id AND ${conditions})`
      : sql``;
  return sql`
    WITH newest AS MATERIALIZED (
      SELECT i.trader_id, i.is_archived, ${newest} AS key FROM ${of.table} i
      WHERE ${conditions} ORDER BY ${newest} DESC LIMIT ${sql.lit(ROWS)}),
    -- Rows with the time of the last row may continue beyond it.
    edge AS (SELECT CASE WHEN count(*) = ${sql.lit(ROWS)} THEN min(key) ELSE '-infinity' END AS key FROM newest),
    groups AS MATERIALIZED (
      SELECT trader_id, is_archived, key FROM (
        SELECT trader_id, is_archived, max(key) AS key FROM newest GROUP BY trader_id, is_archived) one
      WHERE key > (SELECT key FROM edge) AND ${of.isOneKnown} AND ${traderInScope(tx, 'one.trader_id')} ${isOfTab})
    SELECT trader_id, is_archived, ${keyColumnsOf(page.orderBy, sql`key`, sql`trader_id`)} FROM groups
    WHERE (SELECT key FROM edge) = '-infinity'
      OR (SELECT count(*) FROM groups) >= ${sql.lit(REACH)}
      OR (SELECT count(*) FROM groups) >= ${page.offset + page.limit}::int`;
}
