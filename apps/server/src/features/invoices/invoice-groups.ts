import type { CallParsed } from '@copydesk/contract';
import type { InvoiceTab } from '@copydesk/domain';
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

const columns = sql`trader_id, is_archived, tab, is_paid, invoices, part_paid, overpaid, amount_units, paid_units, share_units,
  last_created, last_updated`;

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
export function isKeptAsRow(tx: Tx, filters: InvoiceFilters): boolean {
  const { is_paid, status = 'all', invoice_type = 'all', exchange, community_id } = filters;
  const isDivided =
    is_paid !== undefined || status !== 'all' || invoice_type !== 'all' || exchange || community_id;
  if (isDivided || needInvoices(filters)) return false;
  return filters.provider_id !== undefined || tx.scope.kind === 'all' || tx.scope.providerIds.length === 1;
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
      g.paid_units, NULL::numeric AS share_units, g.last_created, g.last_updated
    FROM invoice_group g
    WHERE ${ofWhom} AND g.reference IS NOT NULL AND g.tab = ${sql.lit(tab)} AND ${traderInScope(tx, 'g.trader_id')}
      ${ofTrader} ${referenceConditions(filters)}`;
}

/** `SELECT ...` of the groups without a reference number: one for what is archived, one for the rest. */
export function unknownGroups(tx: Tx, filters: InvoiceFilters): RawBuilder<unknown> {
  return addedUp(tx, filters, sql`AND i.reference IS NULL`);
}

/** `SELECT ...` of all groups that match, added up from the sums by trader, or from the invoices where it must be. */
export function addedUp(tx: Tx, filters: InvoiceFilters, also = sql``): RawBuilder<unknown> {
  const of = needInvoices(filters) ? FROM_INVOICES : FROM_PARTS;
  const unpaid = sql`coalesce(sum(unpaid), 0)`;
  // Added up by trader and provider first: a split is applied once a trader, and not once an invoice.
  return sql`SELECT ${columns} FROM (
    SELECT CASE WHEN i.trader_id NOT IN (${unknownTraders(tx)}) THEN i.trader_id END AS trader_id, i.is_archived,
      CASE WHEN i.is_archived THEN 'archived' WHEN ${unpaid} = 0 THEN 'paid' ELSE 'unpaid' END AS tab,
      ${unpaid} = 0 AS is_paid, sum(invoices)::int AS invoices, sum(part_paid)::int AS part_paid, sum(overpaid)::int AS overpaid,
      sum(amount_units) AS amount_units, sum(paid_units) AS paid_units,
      sum(amount_units * ${splitOfProvider}) AS share_units,
      max(last_created) AS last_created, max(last_updated) AS last_updated
    FROM (
      SELECT i.trader_id, i.is_archived, i.provider_id, ${of.sums}
      FROM ${of.table} i WHERE ${invoiceConditions(tx, filters)} ${also}
      GROUP BY i.trader_id, i.is_archived, i.provider_id) i
    LEFT JOIN provider p ON p.id = i.provider_id
    GROUP BY 1, 2) added`;
}

/** Ids of the traders in scope that have invoices and no reference number. */
export function unknownTraders(tx: Tx): RawBuilder<unknown> {
  return sql`SELECT u.trader_id FROM invoice_part u
    WHERE u.reference IS NULL AND ${providerInScope(tx, 'u.provider_id')}`;
}

const FROM_PARTS = {
  table: sql`invoice_part`,
  sums: sql`sum(i.invoices) AS invoices, sum(i.invoices) FILTER (WHERE i.status <> 'paid') AS unpaid,
    sum(i.part_paid) AS part_paid, sum(i.overpaid) AS overpaid, sum(i.amount_units) AS amount_units,
    sum(i.paid_units) AS paid_units, max(i.last_created) AS last_created, max(i.last_updated) AS last_updated`,
};
const FROM_INVOICES = {
  table: sql`invoice`,
  sums: sql`count(*) AS invoices, count(*) FILTER (WHERE i.status <> 'paid') AS unpaid,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units) AS part_paid,
    count(*) FILTER (WHERE i.paid_units > i.amount_units) AS overpaid, sum(i.amount_units) AS amount_units,
    sum(i.paid_units) AS paid_units, max(i.created_at) AS last_created, max(i.updated_at) AS last_updated`,
};
