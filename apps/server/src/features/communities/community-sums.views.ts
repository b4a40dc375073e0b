import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { capitalByCommunity } from '../pools/pool-capital.views.ts';
import { partOfAum } from '../traders/part-of-aum.views.ts';

export interface CommunitySums {
  trader_count: number;
  /** USD, decimal string: equity of the traders' accounts, and their virtual balances in pools. */
  total_aum: string;
  /** What of it is in pools. */
  pool_capital: string;
  /** Accounts that the sum leaves out, because they were not read yet. */
  unread_accounts: number;
}

/**
 * Traders and AUM by community, largest first; a community without traders has no entry. For super admins an index
 * alone suffices; for staff they are sums over their own providers and include no others.
 */
export async function sumCommunities(tx: AnyTx): Promise<Map<string, CommunitySums>> {
  const summed =
    tx.scope.kind === 'all'
      ? sql`SELECT t.community_id, count(*)::int AS trader_count, coalesce(sum(t.aum), 0) AS aum
          FROM trader t GROUP BY t.community_id`
      : sql`SELECT s.community_id, sum(s.traders)::int AS trader_count, coalesce(sum(s.aum), 0) AS aum
          FROM (${ofOneProvider(tx)} UNION ALL ${ofSeveralProviders(tx)}) s GROUP BY s.community_id`;
  const { rows } = await sql<CommunitySums & { community_id: string }>`
    SELECT s.community_id, s.trader_count, trim_scale(s.aum)::text AS total_aum,
      trim_scale(trunc(coalesce(c.capital, 0), 8))::text AS pool_capital, coalesce(u.accounts, 0) AS unread_accounts
    FROM (${summed}) s LEFT JOIN (${capitalByCommunity(tx)}) c USING (community_id)
    LEFT JOIN (${unreadByCommunity(tx)}) u USING (community_id)
    ORDER BY s.aum DESC, s.community_id`.execute(tx.sql);
  return new Map(rows.map(({ community_id, ...sums }) => [community_id, sums]));
}

/** Traders of a single provider, which are most: each row counts. */
function ofOneProvider(tx: AnyTx): RawBuilder<unknown> {
  return sql`SELECT p.community_id, count(*) AS traders, sum(p.aum) AS aum FROM trader_provider p
    WHERE NOT p.is_shared AND ${providerInScope(tx, 'p.provider_id')} GROUP BY p.community_id`;
}

/** Traders of several providers may have several rows in scope and count once. */
function ofSeveralProviders(tx: AnyTx): RawBuilder<unknown> {
  return sql`SELECT p.community_id, count(*) AS traders, sum(p.aum) AS aum
    FROM (SELECT s.community_id, ${partOfAum} AS aum FROM trader_provider s
      WHERE s.is_shared AND ${providerInScope(tx, 's.provider_id')} GROUP BY s.trader_id, s.community_id) p
    GROUP BY p.community_id`;
}

/** Few accounts were never read: an index has these alone. */
const unreadByCommunity = (tx: AnyTx) => sql`SELECT t.community_id, count(*)::int AS accounts
  FROM exchange_account a JOIN trader t ON t.id = a.trader_id
  WHERE a.removed_at IS NULL AND a.equity IS NULL AND ${providerInScope(tx, 'a.provider_id')} GROUP BY t.community_id`;
