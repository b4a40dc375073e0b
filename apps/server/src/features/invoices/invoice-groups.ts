import type { CallParsed } from '@copydesk/contract';
import type { InvoiceTab, Scope } from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import {
  type InvoiceFilters,
  invoiceConditions,
  needInvoices,
  referenceConditions,
} from './invoice-filters.ts';
import { splitOfProvider } from './invoice-json.ts';

type GroupQuery = CallParsed<'GET /api/invoices/admin/groups'>['query'];
export type GroupOrder = NonNullable<GroupQuery['orderBy']>;

/** Tabs that a group can be in itself. */
type OwnTab = Exclude<InvoiceTab, 'all'>;
export const ownTabs = (tab: InvoiceTab): OwnTab[] => (tab === 'all' ? ['unpaid', 'paid'] : [tab]);

/** Columns of a group, and their types. Those that a source does not know yet are NULL. */
const COLUMNS = {
  trader_id: 'uuid',
  is_archived: 'boolean',
  tab: 'text',
  is_paid: 'boolean',
  invoices: 'int',
  part_paid: 'int',
  overpaid: 'int',
  amount_units: 'numeric',
  paid_units: 'numeric',
  share_units: 'numeric',
  last_created: 'timestamptz',
  last_updated: 'timestamptz',
  due: 'int',
  overdue: 'int',
};

/** `SELECT ...` of groups that were read before, from the JSON text of their rows. */
export const groupsFromJson = (json: string) =>
  sql`SELECT * FROM json_to_recordset(${json}::json) AS read (${sql.raw(
    Object.entries(COLUMNS)
      .map((column) => column.join(' '))
      .join(', '),
  )})`;

/** The id of the group's trader breaks ties; the group of unknown reference numbers, which has none, stands as if above all. */
export function groupOrder(by: GroupOrder, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const way = direction === 'desc' ? sql`DESC` : sql`ASC`;
  const column = { created_at: 'last_created', updated_at: 'last_updated', amount: 'amount_units' }[by];
  return sql`${sql.ref(column)} ${way}, trader_id ${way}`;
}

/**
 * Whether each group that matches is a row of `invoice_group`: seen by everybody's or one provider's eyes, and narrowed
 * by nothing that divides a group.
 */
export function isKeptAsRow(scope: Scope, filters: InvoiceFilters): boolean {
  const { is_paid, status = 'all', invoice_type = 'all', exchange, community_id } = filters;
  const isDivided =
    is_paid !== undefined || status !== 'all' || invoice_type !== 'all' || exchange || community_id;
  if (isDivided || needInvoices(filters)) return false;
  return filters.provider_id !== undefined || scope.kind === 'all' || scope.providerIds.length === 1;
}

/**
 * `SELECT ...` of the groups that have a reference number, each a row as it is kept, of one tab. It ends where
 * `ORDER BY` and `LIMIT` can follow, and an index serves that.
 */
export function keptGroups(tx: Tx, filters: InvoiceFilters, tab: OwnTab): RawBuilder<unknown> {
  const ofWhom = filters.provider_id
    ? sql`g.provider_id = ${filters.provider_id} AND ${providerInScope(tx, 'g.provider_id')}`
    : tx.scope.kind === 'all'
      ? sql`g.is_whole`
      : tx.scope.providerIds.length === 1
        ? sql`g.provider_id = ${tx.scope.providerIds[0]}::uuid`
        : providerInScope(tx, 'g.provider_id');
  const ofTrader = filters.trader_id ? sql`AND g.trader_id = ${filters.trader_id}` : sql``;
  return sql`SELECT g.trader_id, g.is_archived, g.tab, g.unpaid = 0 AS is_paid, g.invoices, g.part_paid, g.overpaid, g.amount_units,
      g.paid_units, NULL::numeric AS share_units, g.last_created, g.last_updated, NULL::int AS due, NULL::int AS overdue
    FROM invoice_group g
    WHERE ${ofWhom} AND g.reference IS NOT NULL AND g.tab = ${sql.lit(tab)} AND ${traderInScope(tx, 'g.trader_id')}
      ${ofTrader} ${referenceConditions(filters)}`;
}

/**
 * `SELECT ...` of all groups that match, added up from the sums by trader, or from the invoices where it must be.
 * @param onlyUnknown only those without a reference number: one of what is archived, one of the rest
 */
export function addedUp(tx: Tx, filters: InvoiceFilters, onlyUnknown = false): RawBuilder<unknown> {
  const of = needInvoices(filters) ? fromInvoices(tx) : FROM_PARTS;
  const also = onlyUnknown ? sql`AND i.reference IS NULL` : sql``;
  // Grouping by an expression and not by the column keeps the plan from fetching rows in the order of an index.
  return sql`
    SELECT ${onlyUnknown ? sql`NULL::uuid` : sql`CASE WHEN NOT ${of.isUnknown} THEN i.trader_id END`} AS trader_id,
      i.is_archived, CASE WHEN i.is_archived THEN 'archived' WHEN ${of.unpaid} = 0 THEN 'paid' ELSE 'unpaid' END AS tab,
      ${of.unpaid} = 0 AS is_paid, ${of.sums}, sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units,
      sum(i.amount_units * ${splitOfProvider}) AS share_units, ${of.latest}, NULL::int AS due, NULL::int AS overdue
    FROM ${of.table} i LEFT JOIN provider p ON p.id = i.provider_id
    WHERE ${invoiceConditions(tx, filters)} ${also}
    GROUP BY 1, 2`;
}

/** Ids of the traders in scope that have invoices and no reference number. */
export function unknownTraders(tx: Tx): RawBuilder<unknown> {
  return sql`SELECT u.trader_id FROM invoice_part u
    WHERE u.reference IS NULL AND ${providerInScope(tx, 'u.provider_id')}`;
}

const FROM_PARTS = {
  table: sql`invoice_part`,
  isUnknown: sql`(i.reference IS NULL)`,
  unpaid: sql`coalesce(sum(i.invoices) FILTER (WHERE i.status <> 'paid'), 0)`,
  sums: sql`sum(i.invoices)::int AS invoices, sum(i.part_paid)::int AS part_paid, sum(i.overpaid)::int AS overpaid`,
  latest: sql`max(i.last_created) AS last_created, max(i.last_updated) AS last_updated`,
};
const fromInvoices = (tx: Tx) => ({
  table: sql`invoice`,
  isUnknown: sql`(i.trader_id IN (${unknownTraders(tx)}))`,
  unpaid: sql`count(*) FILTER (WHERE i.status <> 'paid')`,
  sums: sql`count(*)::int AS invoices,
    (count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units))::int AS part_paid,
    (count(*) FILTER (WHERE i.paid_units > i.amount_units))::int AS overpaid`,
  latest: sql`max(i.created_at) AS last_created, max(i.updated_at) AS last_updated`,
});
