import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { isAfter, keyColumns, named, orderBy as orderOf } from '../../platform/db/keyset.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import {
  asksTrader,
  type TraderFilters,
  type TraderOrder,
  tabConditions,
  traderConditions,
  traderKeys,
  traderOrder,
  where,
} from './trader-filters.ts';

/** What a list is ordered by, and the row that it begins after. */
export interface OrderOfTraders {
  orderBy: TraderOrder;
  orderDir: 'asc' | 'desc';
  after?: readonly string[];
}

/**
 * `SELECT id, aum, aum_read_at, tab, key_1, key_2 ... ORDER BY ...`: the traders that match, with the sums that the caller may see:
 * the trader's own columns for super admins, else the sum over the caller's providers. It ends where a `LIMIT` can
 * follow. Where it can, it walks an index in the order of the list, so that a page costs what it shows and not what
 * is stored.
 * @param upTo how far into the list the page reaches; null for all of it
 */
export function tradersInOrder(
  tx: Tx,
  { orderBy, orderDir, after, ...filters }: TraderFilters & OrderOfTraders,
  upTo: number | null,
): RawBuilder<unknown> {
  const keys = traderKeys(orderBy, orderDir);
  const columns = sql`SELECT seen.id, seen.aum, seen.aum_read_at, seen.tab, ${keyColumns(keys)}`;
  const walked = tx.scope.kind === 'all' || orderBy !== 'aum' ? 't' : 'seen';
  const conditions = where([
    ...tabConditions(filters.tab, orderBy),
    ...traderConditions(tx, filters, walked),
    ...isAfter(keys, after),
  ]);
  const order = sql`ORDER BY ${traderOrder(keys, filters.tab)}`;

  if (tx.scope.kind === 'all')
    return sql`${columns} FROM trader t CROSS JOIN LATERAL (SELECT t.id, t.aum, t.aum_rank, t.aum_read_at, t.tab) seen
      ${conditions} ${order}`;

  if (orderBy !== 'aum')
    return sql`${columns} FROM trader t CROSS JOIN LATERAL (
        SELECT t.id, sum(s.aum) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab
        FROM trader_provider s WHERE s.trader_id = t.id AND ${providerInScope(tx, 's.provider_id')}
        HAVING count(*) > 0) seen ${conditions} ${order}`;

  const t = asksTrader(filters) ? sql`JOIN trader t ON t.id = seen.id` : sql``;
  const parts = partsInScope(tx).map((part) => sql`${columns} FROM (${part}) seen ${t} ${conditions}`);
  if (parts.length === 1) return sql`${parts[0]} ${order}`;
  // No page can reach further into a part than into the whole. Each part has to say so: only then is it walked in order.
  const enough = upTo === null ? sql`` : sql`${order} LIMIT ${sql.lit(upTo)}`;
  return sql`SELECT * FROM (${sql.join(
    parts.map((part) => sql`(${part} ${enough})`),
    sql` UNION ALL `,
  )}) seen ORDER BY ${orderOf(named(keys))}`;
}

/**
 * `SELECT id, aum, aum_rank, aum_read_at, tab, community_id` of every trader in scope, in parts that share no trader, each in the
 * order of an index. One provider's rows are sums already. Of several providers, each has the traders that only it sees;
 * those that others see as well have their sums kept for the caller's set of providers. A set that is not kept (a user
 * was given it this moment, or too many are in use) is added up: one of the last two parts is always empty, and costs
 * nothing, since PostgreSQL asks for the set once and before either.
 */
export function partsInScope(tx: Tx): RawBuilder<unknown>[] {
  if (tx.scope.kind === 'all')
    return [sql`SELECT id, aum, aum_rank, aum_read_at, tab, community_id FROM trader`];
  const columns = sql`SELECT s.trader_id AS id, s.aum, s.aum_rank, s.aum_read_at, s.tab, s.community_id`;
  const [one, ...others] = tx.scope.providerIds;
  if (!one || others.length === 0)
    return [sql`${columns} FROM trader_provider s WHERE ${providerInScope(tx, 's.provider_id')}`];
  return [
    ...tx.scope.providerIds.map(
      (id) => sql`${columns} FROM trader_provider s WHERE NOT s.is_shared AND s.provider_id = ${id}::uuid`,
    ),
    sql`${columns} FROM trader_in_set s WHERE s.set_id = (SELECT app.provider_set())`,
    sql`SELECT s.trader_id AS id, sum(s.aum) AS aum, coalesce(sum(s.aum)::float8, '-Infinity') AS aum_rank,
        min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab, (array_agg(s.community_id))[1] AS community_id
      FROM trader_provider s
      WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND ${providerInScope(tx, 's.provider_id')}
      GROUP BY s.trader_id`,
  ];
}
