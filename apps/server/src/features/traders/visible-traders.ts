import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import {
  type TraderFilters,
  type TraderOrder,
  tabConditions,
  traderConditions,
  traderOrder,
  where,
} from './trader-filters.ts';

/**
 * `SELECT id, aum, aum_read_at ... ORDER BY ...`: the traders that match, with the sums that the caller may see:
 * the trader's own columns for super admins, else the sum over the caller's providers. It ends where a `LIMIT` can
 * follow. Where it can, it walks an index in the order of the list, so that a page costs what it shows and not what
 * is stored.
 * @param upTo how far into the list the page reaches; null for all of it
 */
export function tradersInOrder(
  tx: Tx,
  { orderBy, orderDir, ...filters }: TraderFilters & { orderBy: TraderOrder; orderDir: 'asc' | 'desc' },
  upTo: number | null,
): RawBuilder<unknown> {
  const columns = sql`SELECT seen.id, seen.aum, seen.aum_read_at`;
  const conditions = where([...tabConditions(filters.tab, orderBy), ...traderConditions(tx, filters)]);
  const order = sql`ORDER BY ${traderOrder(orderBy, orderDir)}`;

  if (tx.scope.kind === 'all')
    return sql`${columns} FROM trader t CROSS JOIN LATERAL (SELECT t.id, t.aum, t.aum_read_at, t.tab) seen
      ${conditions} ${order}`;

  if (orderBy !== 'aum')
    return sql`${columns} FROM trader t CROSS JOIN LATERAL (
        SELECT t.id, sum(s.aum) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab
        FROM trader_provider s WHERE s.trader_id = t.id AND ${providerInScope(tx, 's.provider_id')}
        HAVING count(*) > 0) seen ${conditions} ${order}`;

  const matching = partsInScope(tx).map(
    (part) => sql`${columns} FROM (${part}) seen JOIN trader t ON t.id = seen.id ${conditions}`,
  );
  if (matching.length === 1) return sql`${matching[0]} ${order}`;
  // No page can reach further into a part than into the whole.
  const enough = upTo === null ? sql`` : sql`${order} LIMIT ${sql.lit(upTo)}`;
  return sql`${columns} FROM (${sql.join(
    matching.map((part) => sql`(${part} ${enough})`),
    sql` UNION ALL `,
  )}) seen ${order}`;
}

/**
 * `SELECT id, aum, aum_read_at, tab` of every trader in scope, in parts that share no trader. One provider's rows
 * are sums already, in the order of an index. Of several providers, each has the traders that only it sees, and one
 * part more adds up the traders that others see as well, which are few.
 */
export function partsInScope(tx: Tx): RawBuilder<unknown>[] {
  if (tx.scope.kind === 'all') return [sql`SELECT id, aum, aum_read_at, tab FROM trader`];
  const columns = sql`SELECT s.trader_id AS id, s.aum, s.aum_read_at, s.tab FROM trader_provider s`;
  const [one, ...others] = tx.scope.providerIds;
  if (!one || others.length === 0) return [sql`${columns} WHERE ${providerInScope(tx, 's.provider_id')}`];
  return [
    ...tx.scope.providerIds.map(
      (id) => sql`${columns} WHERE NOT s.is_shared AND s.provider_id = ${id}::uuid`,
    ),
    sql`SELECT s.trader_id AS id, sum(s.aum) AS aum, min(s.aum_read_at) AS aum_read_at, max(s.tab) AS tab
      FROM trader_provider s WHERE s.is_shared AND ${providerInScope(tx, 's.provider_id')} GROUP BY s.trader_id`,
  ];
}
