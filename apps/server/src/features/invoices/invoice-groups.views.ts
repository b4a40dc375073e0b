import type { InvoiceTab } from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { countsByGroup } from './group-counts.ts';
import { type InvoiceFilters, invoiceConditions, reachOf } from './invoice-filters.ts';
import { seesPart } from './invoice-group-part.ts';
import { SUM_NAMES, SUM_TYPES, sourceOf, sumsOf, unknownTraders } from './invoice-group-sources.ts';
import { canWalk, walkedGroups } from './invoice-group-walk.ts';
import {
  addedUp,
  countedUp,
  type GroupPage,
  groupOrder,
  type OwnTab,
  orderColumn,
  ownTabs,
} from './invoice-groups.ts';
import { traderOfInvoice, usdt } from './invoice-json.ts';
import { areKept, keptGroups } from './kept-groups.ts';
import { unknownByTrader } from './unknown-traders.views.ts';

/** Rows that travel as one text. */
const ROWS_PER_PART = 500;

/**
 * One page of groups, as texts that make a JSON array when they are joined by commas. Which groups stand on it is
 * found first, by no more than what they are sorted by.
 * @param unknown the groups without a reference number, from `readUnknown`
 */
export async function listGroups(tx: Tx, page: GroupPage, unknown: UnknownGroups): Promise<string[]> {
  if (areKept(page)) return readPage(tx, page, unknown, keptInOrder(tx, page));
  const walked = canWalk(page) ? await readPage(tx, page, unknown, walkedGroups(tx, page), true) : [];
  if (walked.length > 0) return walked;
  return readPage(tx, page, unknown, addedUp(tx, page, page.tab, page.orderBy));
}

/** The same of the traders without a reference number, one group a trader. */
export function listUnknownTraders(
  tx: Tx,
  { isArchived, ...page }: Omit<GroupPage, 'tab'> & { isArchived: boolean },
): Promise<string[]> {
  const ofTab: GroupPage = { ...page, tab: isArchived ? 'archived' : 'all' };
  return readPage(tx, ofTab, NO_UNKNOWN, unknownByTrader(tx, page, { isArchived, by: page.orderBy }));
}

/** Every part of every tab walks its index as far as the page reaches. */
function keptInOrder(tx: Tx, page: GroupPage): RawBuilder<unknown> {
  const enough = sql`ORDER BY ${groupOrder(page.orderDir)} LIMIT ${sql.lit(reachOf(page))}`;
  const parts = ownTabs(page.tab).flatMap((tab) => keptGroups(tx, page, tab, page.orderBy));
  return sql.join(
    parts.map((part) => sql`(SELECT * FROM (${part}) kept ${enough})`),
    sql` UNION ALL `,
  );
}

async function readPage(
  tx: Tx,
  page: GroupPage,
  unknown: UnknownGroups,
  known: RawBuilder<unknown>,
  isWalk = false,
): Promise<string[]> {
  const order = groupOrder(page.orderDir);
  const { rows } = await sql<{ part: string }>`
    WITH unknown AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${unknown.json}::json)
        AS read (tab text, is_archived boolean, ${SUM_TYPES}, due int, overdue int)
      WHERE tab IN (${sql.join(ownTabs(page.tab).map((tab) => sql.lit(tab)))})),
    known AS (${known}),
    page AS MATERIALIZED (
      SELECT found.*, row_number() OVER () AS position FROM (
        SELECT * FROM (
          SELECT * FROM (
            SELECT trader_id, is_archived, key FROM known
            UNION ALL SELECT NULL, is_archived, ${orderColumn(page.orderBy)} FROM unknown
              ${isWalk ? sql`WHERE EXISTS (SELECT FROM known)` : sql``}) g
          ORDER BY ${order} LIMIT ${sql.lit(reachOf(page))}) reached
        OFFSET ${page.offset} LIMIT ${sql.lit(page.limit)}) found)
    SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part
    FROM page g
    LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
    CROSS JOIN LATERAL (${sumsOfKnown(tx, page)}
      UNION ALL SELECT ${SUM_NAMES}, due, overdue FROM unknown u
        WHERE g.trader_id IS NULL AND u.is_archived = g.is_archived) s
    CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
      CASE WHEN t.id IS NOT NULL THEN ${traderOfInvoice} END AS trader,
      ${usdt(sql`s.amount_units`)} AS total_amount, ${usdt(sql`s.paid_units`)} AS paid_amount,
      ${usdt(sql`s.on_chain_units`)} AS on_chain_amount, ${usdt(sql`s.off_platform_units`)} AS off_platform_amount,
      ${usdt(sql`s.share_units`)} AS provider_share, s.invoices AS invoice_count, s.traders AS trader_count,
      s.is_paid, g.is_archived, ${seesPart(tx)} AS is_part, s.pending AS pending_count, s.cancelled AS cancelled_count,
      s.due AS due_count, s.overdue AS overdue_count, s.part_paid AS part_paid_count, s.overpaid AS overpaid_count,
      app.iso(s.last_created) AS created_at, app.iso(s.last_updated) AS updated_at) r
    GROUP BY (position - 1) / ${sql.lit(ROWS_PER_PART)} ORDER BY (position - 1) / ${sql.lit(ROWS_PER_PART)}`.execute(
    tx.sql,
  );
  return rows.map((row) => row.part);
}

/** All that is shown of a group `g` that has a reference number. */
function sumsOfKnown(tx: Tx, filters: InvoiceFilters): RawBuilder<unknown> {
  const of = sourceOf(tx, filters);
  return sql`SELECT sums.*, open.* FROM (
      SELECT ${sumsOf(of)} FROM ${of.table} i LEFT JOIN provider p ON p.id = i.provider_id
      WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND ${invoiceConditions(tx, filters)}
      HAVING count(*) > 0) sums
    CROSS JOIN LATERAL ${openInvoices(tx, filters, sql`i.trader_id = g.trader_id AND NOT g.is_archived`)} open`;
}

/** `(due, overdue)`: how many invoices `i` are open that match, before and past their due date. */
const openInvoices = (tx: Tx, filters: InvoiceFilters, which: RawBuilder<unknown>) => sql`(
  SELECT (count(*) FILTER (WHERE i.due_at >= now()))::int AS due,
    (count(*) FILTER (WHERE i.due_at < now()))::int AS overdue
  FROM invoice i
  WHERE i.status = 'pending' AND NOT i.is_archived AND ${which} AND ${invoiceConditions(tx, filters)})`;

/** How many groups with a reference number match the filters, by tab. */
export async function countGroups(tx: Tx, filters: InvoiceFilters): Promise<Record<OwnTab, number>> {
  const counts = countsByGroup(tx, filters) ?? countedUp(tx, filters);
  const { rows } = await sql<Record<OwnTab, number>>`${counts}`.execute(tx.sql);
  return rows[0] ?? { unpaid: 0, paid: 0, other: 0, archived: 0 };
}

const tabOfGroup = sql`CASE WHEN g.is_archived THEN 'archived' WHEN g.is_paid THEN 'paid'
  WHEN g.pending > 0 THEN 'unpaid' ELSE 'other' END`;

/** The groups without a reference number: at most one of what is archived, and one of the rest. */
export interface UnknownGroups {
  /** All that is shown of them. PostgreSQL writes and reads it; the digits stay what they are. */
  json: string;
  tabs: OwnTab[];
}

const NO_UNKNOWN: UnknownGroups = { json: '[]', tabs: [] };

/** Groups by tab, given those with a reference number. */
export function withUnknown(
  known: Record<OwnTab, number>,
  { tabs }: UnknownGroups,
): Record<InvoiceTab, number> {
  const counts = { ...known };
  for (const tab of tabs) counts[tab] += 1;
  const { other, ...shown } = counts;
  return { all: counts.unpaid + counts.paid + other, ...shown };
}

/** Added up once for all pages: their traders may be many. */
export async function readUnknown(tx: Tx, filters: InvoiceFilters): Promise<UnknownGroups> {
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
