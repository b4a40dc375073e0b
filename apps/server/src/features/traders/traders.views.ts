import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { VipTier } from '@copydesk/domain/traders';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { type Reach, reachOf } from '../../platform/db/lists/keyset.ts';
import { type PageOfRows, readPage } from '../../platform/db/lists/list-page.ts';
import { partsOfQuery } from '../../platform/db/lists/list-query.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { partOfAum } from './part-of-aum.views.ts';
import { resolveSearch } from './resolve-search.ts';
import {
  joinedBelowMinimum,
  type TraderFilters,
  traderConditions,
  traderKeys,
  where,
} from './trader-filters.ts';
import { accountsOf, type Include, traderColumns } from './trader-json.ts';
import { traderVersion } from './traders.store.ts';
import { type OrderOfTraders, partsInScope, tradersInOrder } from './visible-traders.ts';

export type TraderPage = TraderFilters & OrderOfTraders & Reach;

/**
 * One page of the list. The accounts of the page are read in one query: a subquery per row took two thirds of the whole
 * time, and so did a join, where the planner estimated a page at one row.
 */
export function listTraders(tx: AnyTx, page: TraderPage, include: Include): Promise<PageOfRows> {
  const accounts = include.include_exchanges
    ? {
        after: sql`accounts AS MATERIALIZED (SELECT * FROM ${accountsOf(tx, sql`IN (SELECT id FROM page)`)} of_page)`,
        join: sql`LEFT JOIN accounts ON accounts.trader_id = t.id`,
      }
    : { join: sql`` };
  return readPage(tx, page, {
    ids: sql`id`,
    keys: traderKeys(page.orderBy, page.orderDir),
    walk: tradersInOrder(tx, page, reachOf(page)),
    ...accounts,
    joins: sql`
    CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = page.id OFFSET 0) t
    CROSS JOIN LATERAL ${sumsOf(tx)} seen
    ${include.include_aum ? sql`LEFT JOIN app.trader_marks(ARRAY(SELECT id FROM page)) marks ON marks.trader_id = t.id` : sql``}
    ${accounts.join}
    CROSS JOIN LATERAL (SELECT ${traderColumns(tx, include, sql`coalesce(accounts.list, '[]')`)}) r`,
    keepsPlan: true,
  });
}

export interface TraderTotals {
  counts: { inbox: number; connected: number; delinquent: number; none: number };
  /** USD, decimal strings */
  aums: { inbox: string; connected: string; delinquent: string; none: string };
}

/** Counts and AUM by tab of all matches, ignoring the filter by tab. */
export async function countTraders(tx: AnyTx, filters: TraderFilters): Promise<TraderTotals> {
  const { below_minimum_balance, ...others } = filters;
  const isWhole = tx.scope.kind === 'all';
  const { rows } = await sql<{ tab: keyof TraderTotals['counts']; count: number; aum: string }>`
    SELECT coalesce(seen.tab, 'none') AS tab, count(*)::int AS count, coalesce(sum(seen.aum), 0)::text AS aum
    FROM (${sql.join(partsInScope(tx, filters), sql` UNION ALL `)}) seen
    ${below_minimum_balance && isWhole ? joinedBelowMinimum(tx) : sql``}
    ${where(traderConditions(tx, isWhole ? others : filters, null))}
    GROUP BY seen.tab`.execute(tx.sql);
  const totals: TraderTotals = {
    counts: { inbox: 0, connected: 0, delinquent: 0, none: 0 },
    aums: { inbox: '0', connected: '0', delinquent: '0', none: '0' },
  };
  for (const row of rows) {
    totals.counts[row.tab] = row.count;
    totals.aums[row.tab] = row.aum;
  }
  return totals;
}

/** One trader in its wire shape, as JSON text, or null when it is missing or out of scope. */
export async function findTrader(tx: AnyTx, id: string, include: Include): Promise<string | null> {
  const own = sql`coalesce((SELECT list FROM ${accountsOf(tx, sql`= t.id`, true)} accounts), '[]')`;
  const { rows } = await sql<{ data: string }>`
    SELECT row_to_json(r)::text AS data
    FROM trader t CROSS JOIN LATERAL ${sumsOf(tx)} seen
    LEFT JOIN app.trader_marks(ARRAY[${id}::uuid]) marks ON marks.trader_id = t.id
    CROSS JOIN LATERAL (SELECT ${traderColumns(tx, include, own)}, ${traderVersion('t')} AS version) r
    WHERE t.id = ${id} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0]?.data ?? null;
}

/** The sums over a trader `t` within the caller's scope. */
export function sumsOf(tx: AnyTx): RawBuilder<unknown> {
  return tx.scope.kind === 'all'
    ? sql`(SELECT t.aum, t.aum_read_at, t.pool_capital)`
    : sql`(SELECT ${partOfAum} AS aum, min(s.aum_read_at) AS aum_read_at, max(s.pool_capital) AS pool_capital
        FROM trader_provider s WHERE s.trader_id = t.id AND ${providerInScope(tx, 's.provider_id')})`;
}

/** What decides the VIP level of a trader, and its AUM as far as the caller sees it. */
export async function findVipBasis(tx: AnyTx, id: string) {
  const { rows } = await sql<{ aum: string; is_part: boolean; level: number; tiers: VipTier[] }>`
    SELECT coalesce(trim_scale(seen.aum), 0)::text AS aum, marks.is_part, marks.vip_level AS level,
      (SELECT coalesce(json_agg(json_build_object('level', v.level, 'name', v.name,
        'minAum', trim_scale(v.min_aum)::text, 'benefits', v.benefits)), '[]') FROM vip_tier v) AS tiers
    FROM trader t CROSS JOIN LATERAL ${sumsOf(tx)} seen
    JOIN app.trader_marks(ARRAY[${id}::uuid]) marks ON marks.trader_id = t.id
    WHERE t.id = ${id} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

type ReferralInfo = CallAnswer<'GET /api/traders/referral-info/{code}'>['data'];

/** The owner of a referral code, if the caller may see that trader. */
export async function findReferralInfo(tx: AnyTx, code: string): Promise<ReferralInfo | null> {
  const { rows } = await sql<ReferralInfo>`
    SELECT t.id AS trader_id, coalesce(nullif(t.telegram_username, ''), t.name, 'Unknown Trader') AS display_name,
      t.community_id, coalesce(c.name, 'Unknown Community') AS community_name
    FROM trader t LEFT JOIN community c ON c.id = t.community_id
    WHERE t.referral_code = ${code} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** What setting a status would meet at each of the traders in `wanted`. */
export const planStatuses = (tx: Tx, status: string | null): RawBuilder<unknown> => sql`
  SELECT t.id, w.place, t.status AS before, NULL::numeric AS amount_units,
    CASE WHEN t.status = ${status} THEN 'has_status' END AS reason
  FROM wanted w JOIN trader t ON t.id = w.id AND ${traderInScope(tx, 't.id')}`;

/** The ids of the traders of a list, in its order. */
export async function idsOfTraders(
  tx: Tx,
  query: CallParsed<'GET /api/traders/export'>['query'],
): Promise<RawBuilder<unknown>> {
  const { filters: asked, order } = partsOfQuery(query, 'aum');
  return tradersInOrder(tx, { ...(await resolveSearch<TraderFilters>(tx, asked)), ...order }, null);
}
