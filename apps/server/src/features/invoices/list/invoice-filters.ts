import type { CallParsed } from '@copydesk/contract';
import { UNKNOWN_REFERENCE } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import type { Paging, SortKey } from '../../../platform/db/lists/keyset.ts';
import { conditionsOf, containing } from '../../../platform/db/lists/list-query.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

export type ListQuery = CallParsed<'GET /api/invoices/admin/all'>['query'];
export type InvoiceOrder = NonNullable<ListQuery['orderBy']>;
export type InvoiceFilters = Omit<ListQuery, 'orderBy' | 'orderDir' | keyof Paging> & {
  /**
   * The ids of the matching traders, which replace a search or reference number with few matches. See `resolveFilters`.
   */
  found?: readonly string[];
};

/** Maximum number of matches of a search outside reference numbers. */
export const MOST_OTHER_MATCHES = 1_000;

/** An open invoice past its due date is overdue; an archived one is no longer outstanding. */
export const isOverdue = sql`(i.status = 'pending' AND NOT i.is_archived AND i.due_at < now())`;

/** Whether the filters need columns that only invoices have; the sums by trader have the others. */
export function needInvoices(filters: InvoiceFilters): boolean {
  const { created_at_from, created_at_to, min_amount, max_amount, is_overdue } = filters;
  return [created_at_from, created_at_to, min_amount, max_amount, is_overdue].some(
    (value) => value !== undefined,
  );
}

/** Conditions over `i`, an invoice or a row of sums by trader: the caller's scope, and all filters. */
export const invoiceConditions = (tx: AnyTx, filters: InvoiceFilters): RawBuilder<unknown> =>
  sql`${rowConditions(tx, filters)} AND ${traderInScope(tx, 'i.trader_id')}`;

/** The same without the scope of the trader, for queries that check it once per trader and not once per row. */
export function rowConditions(tx: AnyTx, filters: InvoiceFilters): RawBuilder<unknown> {
  const inReferences = filters.search_in === 'other' ? undefined : filters.search;
  const referenced = sql`i.trader_id IN (SELECT g.trader_id FROM invoice_group g
    WHERE ${providerInScope(tx, 'g.provider_id')} ${referenceConditions({ ...filters, search: inReferences })})`;
  const bounds = boundConditions(filters);
  const conditions = conditionsOf(filters, {
    is_paid: (isPaid) => (isPaid ? sql`i.status = 'paid'` : sql`i.status <> 'paid'`),
    status: (status) => (status === 'all' ? null : sql`i.status = ${sql.lit(status)}`),
    invoice_type: (type) => (type === 'all' ? null : sql`i.invoice_type = ${sql.lit(type)}`),
    exchange: (exchange) => sql`i.exchange = ${exchange}`,
    found: (ids) => sql`i.trader_id = ANY (${[...ids]}::uuid[])`,
    trader_id: (id) => sql`i.trader_id = ${id}`,
    community_id: (id) => sql`i.community_id = ${id}`,
    provider_id: (id) => sql`i.provider_id = ${id}`,
    search: (text) =>
      inReferences
        ? referenced
        : sql`i.trader_id IN (SELECT app.search_traders(${text}, false, ${sql.lit(MOST_OTHER_MATCHES)}))`,
    search_in: () => null,
    // Together with a search in reference numbers it is one condition.
    reference_number: () => (inReferences ? null : referenced),
    is_overdue: (isAsked) => (isAsked ? isOverdue : sql`NOT ${isOverdue}`),
    created_at_from: () => bounds.created_at_from ?? null,
    created_at_to: () => bounds.created_at_to ?? null,
    min_amount: () => bounds.min_amount ?? null,
    max_amount: () => bounds.max_amount ?? null,
    // Lists and sums ask for archived invoices in ways of their own: `unlessArchived`.
    is_archived: () => null,
    include_archived: () => null,
  });
  return sql.join([providerInScope(tx, 'i.provider_id'), ...conditions], sql` AND `);
}

/** Conditions over `g.reference`, each with its `AND`. */
export function referenceConditions({ reference_number, search }: InvoiceFilters): RawBuilder<unknown> {
  const exact =
    reference_number === UNKNOWN_REFERENCE
      ? sql`AND g.reference IS NULL`
      : reference_number
        ? sql`AND g.reference IN (SELECT t.reference_number FROM trader t
            WHERE t.reference_sort = ${reference_number.toLowerCase()})`
        : sql``;
  return search ? sql`${exact} AND g.searched LIKE ${containing(search)}` : exact;
}

/** Lists omit archived invoices unless the filters include them. */
export function unlessArchived({ include_archived, is_archived }: InvoiceFilters): RawBuilder<unknown> {
  if (is_archived !== undefined) return is_archived ? sql`AND i.is_archived` : sql`AND NOT i.is_archived`;
  return include_archived ? sql`` : sql`AND NOT i.is_archived`;
}

type Bound = 'created_at_from' | 'created_at_to' | 'min_amount' | 'max_amount';

/** The columns for bounds: those of an invoice, or the range over several invoices. */
export interface Bounded {
  latest: RawBuilder<unknown>;
  earliest: RawBuilder<unknown>;
  largest: RawBuilder<unknown>;
  smallest: RawBuilder<unknown>;
}
const ONE_INVOICE: Bounded = {
  latest: sql`i.created_at`,
  earliest: sql`i.created_at`,
  largest: sql`i.amount_units`,
  smallest: sql`i.amount_units`,
};

/** The conditions of the given bounds, by the name of their filter. */
export function boundConditions(
  { created_at_from: from, created_at_to: to, min_amount, max_amount }: InvoiceFilters,
  { latest, earliest, largest, smallest }: Bounded = ONE_INVOICE,
): Partial<Record<Bound, RawBuilder<boolean>>> {
  return {
    ...(from && {
      created_at_from: sql<boolean>`${latest} >= ${isDay(from) ? `${from}T00:00:00Z` : from}::timestamptz`,
    }),
    ...(to && {
      created_at_to: isDay(to)
        ? sql<boolean>`${earliest} < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`
        : sql<boolean>`${earliest} <= ${to}::timestamptz`,
    }),
    ...(min_amount && {
      min_amount: sql<boolean>`${largest} >= ${min_amount}::numeric * 1000000000000000000`,
    }),
    ...(max_amount && {
      max_amount: sql<boolean>`${smallest} <= ${max_amount}::numeric * 1000000000000000000`,
    }),
  };
}

const isDay = (text: string) => text.length === 10;

/** The order of a list. The id breaks ties in the direction of the column, so one index serves both. */
export function invoiceKeys(by: InvoiceOrder, direction: 'asc' | 'desc'): SortKey[] {
  const key = (name: string, type: SortKey['type']): SortKey => ({ column: `i.${name}`, type, direction });
  const ends = [key('id', 'uuid')];
  switch (by) {
    case 'created_at':
      return [key('created_at', 'timestamptz'), ...ends];
    case 'updated_at':
      return [key('updated_at', 'timestamptz'), ...ends];
    case 'amount':
      return [key('amount_rank', 'float8'), key('amount_units', 'numeric'), ...ends];
    case 'status':
      return [key('status', 'text'), key('created_at', 'timestamptz'), ...ends];
  }
}
