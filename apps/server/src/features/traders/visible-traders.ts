import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { isAfter, keyColumns, named, orderBy as orderOf } from '../../platform/db/lists/keyset.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { partOfAum } from './part-of-aum.views.ts';
import {
  type TraderFilters,
  type TraderOrder,
  tabConditions,
  traderConditions,
  traderKeys,
  traderOrder,
  where,
  withinMinimums,
} from './trader-filters.ts';

/** The order of a list, and its cursor. */
export interface OrderOfTraders {
  orderBy: TraderOrder;
  orderDir: 'asc' | 'desc';
  after?: readonly string[];
}

/**
 * `SELECT id, key_1, key_2 ... ORDER BY ...`: the matching traders. A `LIMIT` can follow. It walks an index in the
 * order of the list, so the cost of a page depends on its size and not on the number of traders.
 * @param upTo how far into the list the page reaches; null for all of it, then with `aum` and `aum_read_at`: the
 * trader's own for super admins, else the sums over the caller's providers
 */
export function tradersInOrder(
  tx: AnyTx,
  { orderBy, orderDir, after, ...filters }: TraderFilters & OrderOfTraders,
  upTo: number | null,
): RawBuilder<unknown> {
  const keys = traderKeys(orderBy, orderDir);
  const sums = upTo === null ? sql`seen.aum, seen.aum_read_at,` : sql``;
  const columns = sql`SELECT seen.id, ${sums} ${keyColumns(keys)}`;
  const conditions = where([
    ...tabConditions(filters.tab),
    ...traderConditions(tx, filters, upTo),
    ...(orderBy === 'aum' && filters.below_minimum_balance ? [withinMinimums(tx)] : []),
    ...isAfter(keys, after),
  ]);
  const order = sql`ORDER BY ${traderOrder(keys, filters.tab)}`;
  const parts = partsInScope(tx, filters).map((part) => sql`${columns} FROM (${part}) seen ${conditions}`);
  if (parts.length === 1) return sql`${parts[0]} ${order}`;
  // A page can reach no further into a part than into the whole. Each part needs its own limit to be walked in order.
  const enough = upTo === null ? sql`` : sql`${order} LIMIT ${sql.lit(upTo)}`;
  return sql`SELECT * FROM (${sql.join(
    parts.map((part) => sql`(${part} ${enough})`),
    sql` UNION ALL `,
  )}) seen ORDER BY ${orderOf(named(keys))}`;
}

/**
 * `SELECT id, aum, aum_rank, aum_read_at, tab, community_id, account_count, reference_sort, handle_sort, created_at` of
 * every trader in scope, in disjoint parts, each in index order. The rows of one provider are sums already. With
 * several providers, each has a part for the traders that only it sees; traders of several providers have cached sums
 * for the caller's provider set. A set without cached sums (just assigned to a user, or one of too many) is added up.
 * One of the last two parts is always empty and costs nothing, because PostgreSQL evaluates the set once, before
 * either.
 */
export function partsInScope(tx: AnyTx, { found }: TraderFilters): RawBuilder<unknown>[] {
  if (tx.scope.kind === 'all')
    return [
      sql`SELECT id, aum, aum_rank, aum_read_at, tab, community_id, account_count,
        reference_sort, handle_sort, created_at FROM trader`,
    ];
  const columns = sql`SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id,
    s.account_count, s.reference_sort, s.handle_sort, s.created_at`;
  const [one, ...others] = tx.scope.providerIds;
  if (!one || others.length === 0)
    return [sql`${columns} FROM trader_provider s WHERE ${providerInScope(tx, 's.provider_id')}`];
  const added = sql`SELECT s.trader_id AS id, ${partOfAum} AS aum,
      coalesce((${partOfAum})::float8, '-Infinity') AS aum_rank,
      min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab, (array_agg(s.community_id))[1] AS community_id,
      sum(s.account_count)::int AS account_count, min(s.reference_sort) AS reference_sort,
      min(s.handle_sort) AS handle_sort, min(s.created_at) AS created_at
    FROM trader_provider s`;
  // Adding up few traders is faster than looking for them in each part.
  if (found)
    return [
      sql`${added} WHERE s.trader_id = ANY (${[...found]}::uuid[]) AND ${providerInScope(tx, 's.provider_id')}
        GROUP BY s.trader_id`,
    ];
  return [
    ...tx.scope.providerIds.map(
      (id) => sql`${columns} FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = ${id}::uuid`,
    ),
    sql`${columns} FROM trader_in_set s WHERE s.set_id = (SELECT app.provider_set())`,
    sql`${added}
      WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND ${providerInScope(tx, 's.provider_id')}
      GROUP BY s.trader_id`,
  ];
}
