import type { Scope } from '@copydesk/domain/access';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { type InvoiceFilters, needInvoices, referenceConditions } from '../list/invoice-filters.ts';
import type { GroupOrder } from './invoice-group-sources.ts';
import { keyColumnsOf, type OwnTab } from './invoice-groups.ts';

/** Whether the matching groups are rows of `invoice_group`: true when no filter divides a group. */
export function areCached(filters: InvoiceFilters): boolean {
  const { is_paid, status = 'all', invoice_type = 'all', exchange, community_id } = filters;
  return (
    is_paid === undefined &&
    status === 'all' &&
    invoice_type === 'all' &&
    !exchange &&
    !community_id &&
    !needInvoices(filters)
  );
}

/**
 * `SELECT trader_id, is_archived` and the columns of `groupKeys` of the cached groups of a tab with a reference number,
 * in parts that share no trader. Each part can take `ORDER BY` and `LIMIT`, which an index serves. With several
 * providers, one part per provider has the traders that only this provider invoiced, and one more part adds up the few
 * others.
 */
export function cachedGroups(
  tx: AnyTx,
  filters: InvoiceFilters,
  tab: OwnTab,
  by: GroupOrder,
): RawBuilder<unknown>[] {
  const conditions = groupConditions(tx, filters);
  const column = by === 'created_at' ? sql`g.last_created` : sql`g.last_updated`;
  // In the stored form, which an index covers.
  const keys =
    by === 'amount'
      ? sql`g.amount_rank, g.amount_units, g.trader_id AS owner`
      : sql`${column}, g.trader_id AS owner`;
  const rowsOf = (whose: RawBuilder<unknown>) => sql`
    SELECT g.trader_id, g.is_archived, ${keys} FROM invoice_group g
    WHERE ${whose} AND g.tab = ${sql.lit(tab)} AND ${conditions}`;
  const providers = providersSeen(tx.scope, filters);
  if (providers === 'all') return [rowsOf(sql`g.is_whole`)];
  const [one, ...others] = providers;
  if (one !== undefined && others.length === 0) return [rowsOf(ofProvider(tx, one))];
  const key = by === 'amount' ? sql`sum(g.amount_units)` : sql`max(${column})`;
  const isOfTab = {
    archived: sql`g.is_archived`,
    paid: sql`NOT g.is_archived AND sum(g.unpaid) = 0`,
    unpaid: sql`NOT g.is_archived AND sum(g.pending) > 0`,
    other: sql`NOT g.is_archived AND sum(g.unpaid) > 0 AND sum(g.pending) = 0`,
  }[tab];
  return [
    ...providers.map((id) => rowsOf(sql`NOT g.is_shared AND ${ofProvider(tx, id)}`)),
    sql`SELECT g.trader_id, g.is_archived, ${keyColumnsOf(by, key, sql`g.trader_id`)} FROM invoice_group g
      WHERE g.is_shared AND ${ofProviders(tx, providers)} AND ${conditions}
      GROUP BY g.trader_id, g.is_archived HAVING ${isOfTab}`,
  ];
}

export function providersSeen(scope: Scope, { provider_id }: InvoiceFilters): 'all' | readonly string[] {
  if (provider_id) return [provider_id];
  return scope.kind === 'all' ? 'all' : scope.providerIds;
}

/** Conditions over `g`, a cached group: a reference number, and the filters that divide no group. */
export const groupConditions = (tx: AnyTx, filters: InvoiceFilters) => sql`
  g.reference IS NOT NULL AND ${traderInScope(tx, 'g.trader_id')}
  ${filters.trader_id ? sql`AND g.trader_id = ${filters.trader_id}` : sql``}
  ${filters.found ? sql`AND g.trader_id = ANY (${[...filters.found]}::uuid[])` : sql``} ${referenceConditions(filters)}`;

export const ofProvider = (tx: AnyTx, id: string) =>
  sql`NOT g.is_whole AND g.provider_id = ${id}::uuid AND ${providerInScope(tx, 'g.provider_id')}`;
export const ofProviders = (tx: AnyTx, ids: readonly string[]) =>
  sql`NOT g.is_whole AND g.provider_id = ANY (${[...ids]}::uuid[]) AND ${providerInScope(tx, 'g.provider_id')}`;
