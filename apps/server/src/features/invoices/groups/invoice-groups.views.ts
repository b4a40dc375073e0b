import type { InvoiceTab } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import { traderJson } from '../../../core/traders/trader-columns.ts';
import type { AnyTx } from '../../../platform/db/database.ts';
import { isAfter, keyColumns, orderBy, reachOf } from '../../../platform/db/lists/keyset.ts';
import { type PageOfRows, readPage } from '../../../platform/db/lists/list-page.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { type InvoiceFilters, invoiceConditions } from '../list/invoice-filters.ts';

import { areCached, cachedGroups } from './cached-groups.ts';
import { type CachedOrder, ownersOnPage } from './cached-order.ts';
import { countsByGroup } from './group-counts.ts';
import { seesPart } from './invoice-group-part.ts';
import { SUM_NAMES, SUM_TYPES, sourceOf, sumsOf, unknownTraders } from './invoice-group-sources.ts';
import { canWalk, walkedGroups } from './invoice-group-walk.ts';
import {
  addedUp,
  countedUp,
  type GroupPage,
  groupKeys,
  keyColumnsOf,
  type OwnTab,
  ownTabs,
} from './invoice-groups.ts';
import { unknownByTrader } from './unknown-traders.views.ts';

/**
 * One page of groups, as texts that form a JSON array when joined by commas. The groups of the page are found first
 * from their sort keys alone. null when the order needs all matches: see `readGroupOrder`.
 * @param unknown the groups without a reference number, from `readUnknown`
 */
export async function listGroups(
  tx: AnyTx,
  page: GroupPage,
  unknown: UnknownGroups,
): Promise<PageOfRows | null> {
  if (areCached(page)) return readGroups(tx, page, unknown, cachedInOrder(tx, page));
  const walked = canWalk(page) ? await readGroups(tx, page, unknown, walkedGroups(tx, page), true) : null;
  return walked && walked.rows > 0 ? walked : null;
}

/** The same for traders without a reference number, one group per trader. */
export function listUnknownTraders(
  tx: AnyTx,
  { isArchived, ...page }: Omit<GroupPage, 'tab'> & { isArchived: boolean },
): Promise<PageOfRows> {
  const ofTab: GroupPage = { ...page, tab: isArchived ? 'archived' : 'all' };
  return readGroups(tx, ofTab, NO_UNKNOWN, unknownByTrader(tx, page, { isArchived, by: page.orderBy }));
}

/** The matching groups of a tab, in order: computed once for all pages. */
export async function readGroupOrder(
  tx: AnyTx,
  page: GroupPage,
  unknown: UnknownGroups,
): Promise<CachedOrder> {
  const keys = groupKeys(page.orderBy, 'desc');
  const { rows } = await sql<{ owners: Buffer | null }>`
    WITH ${unknownOf(page, unknown)}
    SELECT string_agg(uuid_send(owner), ''::bytea ORDER BY ${orderBy(keys)}) AS owners
    FROM (${withUnknownOf(page, addedUp(tx, page, page.tab, page.orderBy))}) g`.execute(tx.sql);
  return rows[0]?.owners ?? Buffer.alloc(0);
}

/**
 * A page of a cached order, with current figures. If the order lacks the row of the cursor, the order is computed
 * again.
 */
export async function listOrdered(
  tx: AnyTx,
  page: GroupPage,
  unknown: UnknownGroups,
  order: CachedOrder,
): Promise<PageOfRows> {
  const owners = ownersOnPage(order, page);
  if (!owners) return readGroups(tx, page, unknown, addedUp(tx, page, page.tab, page.orderBy));
  const { after: _after, ...from } = page;
  const onPage = { ...from, offset: 0, found: owners.traders };
  const known = addedUp(tx, onPage, page.tab, page.orderBy);
  const found = await readGroups(tx, onPage, owners.hasUnknown ? unknown : NO_UNKNOWN, known);
  // A group that no longer matches leaves a gap and does not end the list.
  return { ...found, rows: owners.traders.length + Number(owners.hasUnknown) };
}

/** Each part of each tab walks its index as far as the page reaches. */
function cachedInOrder(tx: AnyTx, page: GroupPage): RawBuilder<unknown> {
  const keys = groupKeys(page.orderBy, page.orderDir);
  const enough = sql`${beginning(page)} ORDER BY ${orderBy(keys)} LIMIT ${sql.lit(reachOf(page))}`;
  const parts = ownTabs(page.tab).flatMap((tab) => cachedGroups(tx, page, tab, page.orderBy));
  return sql.join(
    parts.map((part) => sql`(SELECT * FROM (${part}) kept ${enough})`),
    sql` UNION ALL `,
  );
}

/** The first row of a page that was requested with a cursor. */
function beginning(page: GroupPage): RawBuilder<unknown> {
  const conditions = isAfter(groupKeys(page.orderBy, page.orderDir), page.after);
  return conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** The groups without a reference number as a part of a statement, `unknown`. */
const unknownOf = (page: GroupPage, unknown: UnknownGroups) => sql`unknown AS MATERIALIZED (
  SELECT * FROM json_to_recordset(${unknown.json}::json)
    AS read (tab text, is_archived boolean, ${SUM_TYPES}, due int, overdue int)
  WHERE tab IN (${sql.join(ownTabs(page.tab).map((tab) => sql.lit(tab)))}))`;

/** The unknown and the known groups, with their sort keys. */
function withUnknownOf({ orderBy: by }: GroupPage, known: RawBuilder<unknown>): RawBuilder<unknown> {
  const keys = groupKeys(by, 'desc').map(({ column }) => column);
  const key = by === 'amount' ? 'amount_units' : keys[0];
  return sql`SELECT trader_id, is_archived, ${sql.join(keys.map((column) => sql.ref(column)))} FROM (${known}) k
    UNION ALL SELECT NULL, is_archived, ${keyColumnsOf(by, sql.ref(key ?? ''), sql`NULL::uuid`)} FROM unknown`;
}

function readGroups(
  tx: AnyTx,
  page: GroupPage,
  unknown: UnknownGroups,
  known: RawBuilder<unknown>,
  isWalk = false,
): Promise<PageOfRows> {
  const keys = groupKeys(page.orderBy, page.orderDir);
  return readPage(tx, page, {
    ids: sql`trader_id, is_archived`,
    keys,
    before: sql`${unknownOf(page, unknown)},
    known AS (${known})`,
    walk: sql`SELECT g.trader_id, g.is_archived, ${keyColumns(keys)} FROM (
        ${withUnknownOf(page, sql`TABLE known`)}
          ${isWalk ? sql`WHERE EXISTS (SELECT FROM known)` : sql``}) g
      ${beginning(page)} ORDER BY ${orderBy(keys)}`,
    joins: sql`
    CROSS JOIN LATERAL (SELECT page.trader_id, page.is_archived) g
    LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
    CROSS JOIN LATERAL (${sumsOfKnown(tx, page)}
      UNION ALL SELECT ${SUM_NAMES}, due, overdue FROM unknown u
        WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
    CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
      CASE WHEN t.id IS NOT NULL THEN ${traderJson()} END AS trader,
      ${usdt(sql`s.amount_units`)} AS total_amount, ${usdt(sql`s.paid_units`)} AS paid_amount,
      ${usdt(sql`s.on_chain_units`)} AS on_chain_amount, ${usdt(sql`s.off_platform_units`)} AS off_platform_amount,
      ${usdt(sql`s.share_units`)} AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
      s.is_paid, g.is_archived, ${seesPart(tx)} AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
      s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
      app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r`,
  });
}

/** All columns on screen of a group `g` with a reference number. */
function sumsOfKnown(tx: AnyTx, filters: InvoiceFilters): RawBuilder<unknown> {
  const of = sourceOf(tx, filters);
  return sql`SELECT sums.*, open.* FROM (
      SELECT ${sumsOf(of)} FROM ${of.table} i LEFT JOIN provider p ON p.id = i.provider_id
      WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND ${invoiceConditions(tx, filters)}
      HAVING count(*) > 0) sums
    CROSS JOIN LATERAL ${openInvoices(tx, filters, sql`i.trader_id = g.trader_id AND NOT g.is_archived`)} open`;
}

/** `(due, overdue)`: the number of matching open invoices `i`, before and past their due date. */
const openInvoices = (tx: AnyTx, filters: InvoiceFilters, which: RawBuilder<unknown>) => sql`(
  SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
  FROM invoice i
  WHERE i.status = 'pending' AND NOT i.is_archived AND ${which} AND ${invoiceConditions(tx, filters)})`;

/** The number of matching groups with a reference number, by tab. */
export async function countGroups(tx: AnyTx, filters: InvoiceFilters): Promise<Record<OwnTab, number>> {
  const counts = countsByGroup(tx, filters) ?? countedUp(tx, filters);
  const { rows } = await sql<Record<OwnTab, number>>`${counts}`.execute(tx.sql);
  return rows[0] ?? { unpaid: 0, paid: 0, other: 0, archived: 0 };
}

const tabOfGroup = sql`CASE WHEN g.is_archived THEN 'archived' WHEN g.is_paid THEN 'paid'
  WHEN g.pending > 0 THEN 'unpaid' ELSE 'other' END`;

/** The groups without a reference number: at most one archived and one other. */
export interface UnknownGroups {
  /** The group's columns. PostgreSQL writes and reads them, so digits are never converted. */
  json: string;
  tabs: OwnTab[];
}

const NO_UNKNOWN: UnknownGroups = { json: '[]', tabs: [] };

/** Groups by tab, given the groups with a reference number. */
export function withUnknown(
  known: Record<OwnTab, number>,
  { tabs }: UnknownGroups,
): Record<InvoiceTab, number> {
  const counts = { ...known };
  for (const tab of tabs) counts[tab] += 1;
  const { other, ...shown } = counts;
  return { all: counts.unpaid + counts.paid + other, ...shown };
}

/** Computed once for all pages, because their traders may be many. */
export async function readUnknown(tx: AnyTx, filters: InvoiceFilters): Promise<UnknownGroups> {
  if (filters.search || filters.found) return NO_UNKNOWN;
  const of = sourceOf(tx, filters);
  const { rows } = await sql<UnknownGroups>`
    SELECT coalesce(json_agg(row_to_json(u)), '[]')::text AS json, coalesce(array_agg(u.tab), '{}') AS tabs FROM (
      SELECT ${tabOfGroup} AS tab, g.*, open.*
      FROM (SELECT i.is_archived, ${sumsOf(of)} FROM ${of.table} i LEFT JOIN provider p ON p.id = i.provider_id
        WHERE ${invoiceConditions(tx, filters)} AND ${of.isUnknownRow} GROUP BY i.is_archived) g
      CROSS JOIN LATERAL ${openInvoices(tx, filters, sql`NOT g.is_archived AND i.trader_id IN (${unknownTraders(tx)})`)} open) u`.execute(
    tx.sql,
  );
  return rows[0] ?? NO_UNKNOWN;
}
