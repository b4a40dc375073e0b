import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { SIGNUP_SOURCES } from '@copydesk/domain/traders';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { levelledTradersOf, tradersOf } from './traders-of-community.ts';

type Stats = CallAnswer<'GET /api/communities/{id}/stats'>['data'];

/** Adds up the sums that triggers maintain, not the invoices. */
export async function readStats(tx: AnyTx, id: string): Promise<Stats> {
  const traders = sql<Omit<Stats, 'invoices'>>`
    SELECT count(*)::int AS trader_count,
      trim_scale(coalesce(sum(seen.aum), 0))::text AS total_aum,
      json_build_object('inbox', count(*) FILTER (WHERE seen.tab = 'inbox'),
        'connected', count(*) FILTER (WHERE seen.tab = 'connected'),
        'delinquent', count(*) FILTER (WHERE seen.tab = 'delinquent')) AS counts
    FROM (${tradersOf(tx, id)}) seen`.execute(tx.sql);
  const invoices = sql<Stats['invoices']>`
    SELECT coalesce(sum(p.invoices), 0)::int AS count,
      coalesce(sum(p.invoices) FILTER (WHERE p.status = 'pending'), 0)::int AS unpaid_count,
      trim_scale(coalesce(sum(p.amount_units), 0) * 0.000000000000000001)::text AS amount,
      trim_scale(coalesce(sum(p.paid_units), 0) * 0.000000000000000001)::text AS paid_amount,
      trim_scale(coalesce(sum(p.amount_units - p.paid_units) FILTER (WHERE p.status = 'pending'), 0)
        * 0.000000000000000001)::text AS unpaid_amount
    FROM invoice_part p
    WHERE p.community_id = ${id} AND p.status <> 'cancelled' AND ${providerInScope(tx, 'p.provider_id')}`.execute(
    tx.sql,
  );
  const [{ rows: of }, { rows: billed }] = await Promise.all([traders, invoices]);
  return { ...(of[0] as Omit<Stats, 'invoices'>), invoices: billed[0] as Stats['invoices'] };
}

type Signups = CallAnswer<'GET /api/communities/{id}/signups'>['data'];

export async function listSignups(
  tx: AnyTx,
  id: string,
  { interval = 'day', from, to }: CallParsed<'GET /api/communities/{id}/signups'>['query'],
): Promise<Signups> {
  const { rows } = await sql<Signups[number]>`
    SELECT date_trunc(${interval}, t.created_at AT TIME ZONE 'UTC')::date::text AS "from", count(*)::int AS traders,
      json_build_object(${sql.join(SIGNUP_SOURCES.flatMap((source) => [sql.lit(source), sql`count(*) FILTER (WHERE s.source = ${sql.lit(source)})`]))}) AS sources
    FROM trader t
    CROSS JOIN LATERAL (SELECT CASE WHEN t.referred_by_trader_id IS NOT NULL THEN 'referral'
      ELSE coalesce(t.source, 'unknown') END AS source) s
    WHERE t.community_id = ${id} AND ${traderInScope(tx, 't.id')}
      ${from ? sql`AND t.created_at >= ${from}::date::timestamp AT TIME ZONE 'UTC'` : sql``}
      ${to ? sql`AND t.created_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'` : sql``}
    GROUP BY 1 ORDER BY 1`.execute(tx.sql);
  return rows;
}

type VipLevels = CallAnswer<'GET /api/communities/{id}/vip/stats'>['data'];

export async function listVipLevels(tx: AnyTx, id: string): Promise<VipLevels> {
  const { rows } = await sql<VipLevels[number]>`
    WITH bounds AS (
      SELECT 0 AS level, 'Standard' AS name, 0::numeric AS min_aum, '' AS benefits
      UNION ALL SELECT v.level, v.name, v.min_aum, v.benefits FROM vip_tier v)
    SELECT b.level, b.name, b.benefits, trim_scale(b.min_aum)::text AS min_aum, count(seen.id)::int AS trader_count,
      trim_scale(coalesce(sum(seen.aum), 0))::text AS total_aum
    FROM bounds b LEFT JOIN (${levelledTradersOf(tx, id)}) seen ON seen.vip_level = b.level
    GROUP BY b.level, b.name, b.benefits, b.min_aum ORDER BY b.min_aum`.execute(tx.sql);
  return rows;
}
