import type { InvoiceTab } from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { type InvoiceFilters, invoiceConditions, reachOf } from './invoice-filters.ts';
import {
  addedUp,
  type GroupOrder,
  groupOrder,
  groupsFromJson,
  isKeptAsRow,
  keptGroups,
  ownTabs,
  unknownTraders,
} from './invoice-groups.ts';
import { splitOfProvider, traderOfInvoice, usdt } from './invoice-json.ts';

export interface GroupPage extends InvoiceFilters {
  tab: InvoiceTab;
  orderBy: GroupOrder;
  orderDir: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Rows that travel as one text. */
const ROWS_PER_PART = 500;

/**
 * One page of groups, as texts that make a JSON array when they are joined by commas.
 * @param unknown the groups without a reference number where they were read before, from `summarizeGroups`
 */
export async function listGroups(tx: Tx, page: GroupPage, unknown: string | null): Promise<string[]> {
  const order = groupOrder(page.orderBy, page.orderDir);
  const { rows } = await sql<{ part: string }>`
    WITH page AS MATERIALIZED (
      SELECT found.*, row_number() OVER () AS position FROM (
        SELECT * FROM (${groupsInOrder(tx, page, order, unknown)} LIMIT ${sql.lit(reachOf(page))}) reached
        OFFSET ${page.offset} LIMIT ${sql.lit(page.limit)}) found)
    SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part
    FROM page g
    LEFT JOIN LATERAL (SELECT * FROM trader t WHERE t.id = g.trader_id OFFSET 0) t ON true
    CROSS JOIN LATERAL ${openInvoices(tx, page)} open
    CROSS JOIN LATERAL (SELECT coalesce(t.reference_number, 'unknown') AS reference_number,
      CASE WHEN t.id IS NOT NULL THEN ${traderOfInvoice} END AS trader,
      ${usdt(sql`g.amount_units`)} AS total_amount, ${usdt(sql`g.paid_units`)} AS paid_amount,
      ${usdt(sql`coalesce(g.share_units, ${shareOfKept(tx, page)})`)} AS provider_share,
      g.invoices AS invoice_count, g.is_paid, g.is_archived,
      coalesce(g.due, open.due) AS due_count, coalesce(g.overdue, open.overdue) AS overdue_count, g.part_paid AS part_paid_count,
      g.overpaid AS overpaid_count, app.iso(g.last_created) AS created_at, app.iso(g.last_updated) AS updated_at) r
    GROUP BY (position - 1) / ${sql.lit(ROWS_PER_PART)} ORDER BY (position - 1) / ${sql.lit(ROWS_PER_PART)}`.execute(
    tx.sql,
  );
  return rows.map((row) => row.part);
}

/**
 * Where each group is a row, every tab walks its index as far as the page reaches, and the groups without a reference
 * number, which were read before, come in between. Else the groups are added up and sorted.
 */
function groupsInOrder(tx: Tx, page: GroupPage, order: RawBuilder<unknown>, unknown: string | null) {
  const inTabs = sql`WHERE tab IN (${sql.join(ownTabs(page.tab).map((tab) => sql.lit(tab)))})`;
  if (unknown === null) return sql`SELECT * FROM (${addedUp(tx, page)}) g ${inTabs} ORDER BY ${order}`;
  const enough = sql`ORDER BY ${order} LIMIT ${sql.lit(reachOf(page))}`;
  const parts = [
    ...ownTabs(page.tab).map((tab) => sql`(SELECT * FROM (${keptGroups(tx, page, tab)}) kept ${enough})`),
    sql`(SELECT * FROM (${groupsFromJson(unknown)}) u ${inTabs})`,
  ];
  return sql`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) g ORDER BY ${order}`;
}

/** What the providers get of the invoices of a group `g` that was kept as a row. */
const shareOfKept = (tx: Tx, { provider_id }: InvoiceFilters) => sql`(
  SELECT sum(i.amount_units * ${splitOfProvider}) FROM invoice_part i LEFT JOIN provider p ON p.id = i.provider_id
  WHERE i.trader_id = g.trader_id AND i.is_archived = g.is_archived AND ${providerInScope(tx, 'i.provider_id')}
    ${provider_id ? sql`AND i.provider_id = ${provider_id}` : sql``})`;

/** `(due, overdue)`: the open invoices of a group `g` that match, before and past their due date. */
function openInvoices(tx: Tx, filters: InvoiceFilters): RawBuilder<unknown> {
  const open = sql`SELECT i.due_at FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND NOT g.is_archived AND ${invoiceConditions(tx, filters)}`;
  return sql`(SELECT count(*) FILTER (WHERE due_at >= now()) AS due, count(*) FILTER (WHERE due_at < now()) AS overdue
    FROM (${open} AND i.trader_id = g.trader_id
      UNION ALL ${open} AND g.trader_id IS NULL AND g.due IS NULL AND i.trader_id IN (${unknownTraders(tx)})) both_kinds)`;
}

export interface GroupSummary {
  counts: Record<InvoiceTab, number>;
  /** The groups without a reference number as JSON text, where the others are read from the rows that are kept. */
  unknown: string | null;
}

/** Groups by tab of everything that matches the filters but the tab, and those that no row is kept for. */
export async function summarizeGroups(tx: Tx, filters: InvoiceFilters): Promise<GroupSummary> {
  const isKept = isKeptAsRow(tx.scope, filters);
  const groups = isKept
    ? sql.join(
        (['unpaid', 'paid', 'archived'] as const).map(
          (tab) => sql`SELECT tab FROM (${keptGroups(tx, filters, tab)}) kept`,
        ),
        sql` UNION ALL `,
      )
    : addedUp(tx, filters);
  const unknown = isKept ? await readUnknown(tx, filters) : null;
  const { rows } = await sql<{ tab: InvoiceTab; count: number }>`
    SELECT tab, count(*)::int AS count FROM (${groups} ${unknown ? sql`UNION ALL SELECT tab FROM (${groupsFromJson(unknown)}) u` : sql``}) g
    GROUP BY tab`.execute(tx.sql);
  const count = (tab: InvoiceTab) => rows.find((row) => row.tab === tab)?.count ?? 0;
  const [unpaid, paid, archived] = [count('unpaid'), count('paid'), count('archived')];
  return { counts: { all: unpaid + paid, unpaid, paid, archived }, unknown };
}

/** The groups without a reference number as JSON text. PostgreSQL writes and reads it; the digits stay what they are. */
async function readUnknown(tx: Tx, filters: InvoiceFilters): Promise<string> {
  if (filters.search) return '[]';
  const { rows } = await sql<{ json: string }>`
    SELECT coalesce(json_agg(row_to_json(u)), '[]')::text AS json FROM (
      SELECT g.trader_id, g.is_archived, g.tab, g.is_paid, g.invoices, g.part_paid, g.overpaid, g.amount_units,
        g.paid_units, g.share_units, g.last_created, g.last_updated, open.due, open.overdue
      FROM (${addedUp(tx, filters, true)}) g CROSS JOIN LATERAL ${openInvoices(tx, filters)} open) u`.execute(
    tx.sql,
  );
  return rows[0]?.json ?? '[]';
}
