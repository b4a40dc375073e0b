import type { CallParsed } from '@copydesk/contract';
import type { InvoiceTab } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import { type InvoiceFilters, needInvoices } from '../list/invoice-filters.ts';
import { offPlatformUnits, onChainUnits, splitOfProvider } from '../list/invoice-json.ts';

type GroupQuery = CallParsed<'GET /api/invoices/admin/groups'>['query'];
export type GroupOrder = NonNullable<GroupQuery['orderBy']>;

/** The source `i` of group sums: sums by trader, or the invoices themselves. */
export interface GroupSource {
  table: RawBuilder<unknown>;
  /** Whether the trader of a row has a reference number, if the row has that information. */
  isKnownRow: RawBuilder<unknown>;
  /** The same by a group's `trader_id`, for rows without that information. */
  isKnownGroup: RawBuilder<unknown>;
  /** The same for few groups: looks each one up instead of collecting all groups without a number. */
  isOneKnown: RawBuilder<unknown>;
  isUnknownRow: RawBuilder<unknown>;
  created: RawBuilder<unknown>;
  updated: RawBuilder<unknown>;
  invoices: RawBuilder<unknown>;
  partPaid: RawBuilder<unknown>;
  overpaid: RawBuilder<unknown>;
  onChain: RawBuilder<unknown>;
  offPlatform: RawBuilder<unknown>;
}

const YES = sql`true`;

const PARTS: GroupSource = {
  table: sql`invoice_part`,
  isKnownRow: sql`i.reference IS NOT NULL`,
  isKnownGroup: YES,
  isOneKnown: YES,
  isUnknownRow: sql`i.reference IS NULL`,
  created: sql`i.last_created`,
  updated: sql`i.last_updated`,
  invoices: sql`i.invoices`,
  partPaid: sql`i.part_paid`,
  overpaid: sql`i.overpaid`,
  onChain: sql`i.on_chain_units`,
  offPlatform: sql`i.off_platform_units`,
};
const invoices = (tx: AnyTx): GroupSource => ({
  table: sql`invoice`,
  isKnownRow: YES,
  isKnownGroup: sql`trader_id NOT IN (${unknownTraders(tx)})`,
  isOneKnown: sql`NOT EXISTS (${unknownTraders(tx)} AND u.trader_id = one.trader_id OFFSET 0)`,
  isUnknownRow: sql`i.trader_id IN (${unknownTraders(tx)})`,
  created: sql`i.created_at`,
  updated: sql`i.updated_at`,
  invoices: sql`1`,
  partPaid: sql`(i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int`,
  overpaid: sql`app.is_overpaid(i.amount_units, i.paid_units)::int`,
  onChain: onChainUnits,
  offPlatform: offPlatformUnits,
});

export const sourceOf = (tx: AnyTx, filters: InvoiceFilters): GroupSource =>
  needInvoices(filters) ? invoices(tx) : PARTS;

/** Ids of the traders in scope with invoices and no reference number. */
export function unknownTraders(tx: AnyTx): RawBuilder<unknown> {
  return sql`SELECT u.trader_id FROM invoice_part u
    WHERE u.reference IS NULL AND ${providerInScope(tx, 'u.provider_id')}`;
}

/** The sort key of a group. */
export function keyOf(of: GroupSource, by: GroupOrder): RawBuilder<unknown> {
  switch (by) {
    case 'created_at':
      return sql`max(${of.created})`;
    case 'updated_at':
      return sql`max(${of.updated})`;
    case 'amount':
      return sql`sum(i.amount_units)`;
  }
}

/**
 * Over rows `i` of one unarchived group: whether it belongs to this tab. A group is paid when all its invoices are, and
 * unpaid when at least one is pending. Any other group is only under All.
 */
export const standsIn = (tab: 'paid' | 'unpaid') =>
  tab === 'paid' ? sql`bool_and(i.status = 'paid')` : sql`bool_or(i.status = 'pending')`;

/** The rows of a trader that form a group of this tab. */
export const archivedIn = (tab: InvoiceTab) =>
  tab === 'archived' ? sql`i.is_archived` : sql`NOT i.is_archived`;

const invoicesOf = (of: GroupSource, status: 'pending' | 'cancelled') =>
  sql`coalesce(sum(${of.invoices}) FILTER (WHERE i.status = ${sql.lit(status)}), 0)::int`;

/** Columns of a group on screen, summed from rows `i` and their provider `p`, with their types and names. */
export const sumsOf = (of: GroupSource) => sql`
  bool_and(i.status = 'paid') AS is_paid, sum(${of.invoices})::int AS invoices,
  count(DISTINCT i.trader_id)::int AS traders, ${invoicesOf(of, 'pending')} AS pending,
  ${invoicesOf(of, 'cancelled')} AS cancelled, sum(${of.partPaid})::int AS part_paid, sum(${of.overpaid})::int AS overpaid,
  sum(i.amount_units) AS amount_units, sum(i.paid_units) AS paid_units, sum(${of.onChain}) AS on_chain_units,
  sum(${of.offPlatform}) AS off_platform_units,
  sum(i.amount_units * ${splitOfProvider}) AS share_units, max(${of.created}) AS last_created,
  max(${of.updated}) AS last_updated`;
const SUMS = {
  is_paid: 'boolean',
  invoices: 'int',
  traders: 'int',
  pending: 'int',
  cancelled: 'int',
  part_paid: 'int',
  overpaid: 'int',
  amount_units: 'numeric',
  paid_units: 'numeric',
  on_chain_units: 'numeric',
  off_platform_units: 'numeric',
  share_units: 'numeric',
  last_created: 'timestamptz',
  last_updated: 'timestamptz',
};
export const SUM_NAMES = sql.raw(Object.keys(SUMS).join(', '));
export const SUM_TYPES = sql.raw(
  Object.entries(SUMS)
    .map((column) => column.join(' '))
    .join(', '),
);
