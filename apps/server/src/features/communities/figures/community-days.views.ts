import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import { tradersOf } from './traders-of-community.ts';

type Days = CallAnswer<'GET /api/communities/{id}/days'>['data'];

/**
 * Days with records, oldest first. Today's AUM is the present one, as on every other screen. It is null on a
 * day between others on which no account was read, as while workers were away: pools alone would look like a
 * collapse. Money out is summed from paid shares, because the sums of payouts are by the day on which a
 * payout began.
 */
export async function listDays(
  tx: AnyTx,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<Days> {
  const today = sql`app.utc_day(now()) BETWEEN ${from}::date AND ${to}::date`;
  const { rows } = await sql<Days[number]>`
    -- Once: it adds up all traders of the community.
    WITH present AS MATERIALIZED (
      SELECT sum(t.aum) AS aum, sum(t.pool_capital) AS pools FROM (${tradersOf(tx, id)}) t)
    SELECT seen.day::text AS day, trim_scale(CASE WHEN seen.day = app.utc_day(now()) THEN present.aum
        WHEN NOT bool_or(seen.is_read) AND seen.day > read.first AND seen.day < read.last THEN NULL
        ELSE sum(seen.equity) END)::text AS aum,
      trim_scale(coalesce(CASE WHEN seen.day = app.utc_day(now()) THEN present.pools ELSE sum(seen.pools) END, 0))::text
        AS pool_capital,
      trim_scale(sum(seen.received_units) * 0.000000000000000001)::text AS received,
      trim_scale(sum(seen.paid_units) * 0.000000000000000001)::text AS paid_out
    FROM (
      SELECT d.day, d.equity, NULL::numeric AS pools, d.equity IS NOT NULL AS is_read, d.received_units,
        0::numeric AS paid_units
      FROM community_day d
      WHERE d.community_id = ${id} AND d.day BETWEEN ${from}::date AND ${to}::date
        AND ${providerInScope(tx, 'd.provider_id')}
      UNION ALL
      SELECT c.day, c.capital, c.capital, false, 0, 0 FROM community_capital_day c
      WHERE c.community_id = ${id} AND c.day BETWEEN ${from}::date AND ${to}::date AND ${capitalInScope(tx)}
      UNION ALL
      SELECT app.utc_day(now()), NULL, NULL, false, 0, 0 FROM present n WHERE ${today} AND n.aum IS NOT NULL
      UNION ALL
      SELECT app.utc_day(y.paid_at), NULL, NULL, false, 0, sum(y.amount_units) FROM payable y
      WHERE y.community_id = ${id} AND y.paid_at >= ${from}::date::timestamp AT TIME ZONE 'UTC'
        AND y.paid_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC' AND ${providerInScope(tx, 'y.provider_id')}
      GROUP BY 1) seen
    CROSS JOIN (SELECT min(d.day) AS first, max(d.day) AS last FROM community_day d
      WHERE d.community_id = ${id} AND d.equity IS NOT NULL AND ${providerInScope(tx, 'd.provider_id')}) read
    CROSS JOIN present
    GROUP BY seen.day, read.first, read.last, present.aum, present.pools ORDER BY seen.day`.execute(tx.sql);
  return rows;
}

/** Any provider in scope that sees a trader counts its capital. */
const capitalInScope = (tx: AnyTx) =>
  tx.scope.kind === 'all' ? sql`true` : sql`c.provider_ids && ${[...tx.scope.providerIds]}::uuid[]`;

type SplitChanges = CallAnswer<'GET /api/communities/{id}/days'>['meta']['events'];

const MOST_CHANGES = 200;

/**
 * Changes of the percentages by which invoices of a community are split, newest first: its own part, and those of the
 * providers that it works with. They are read from the audit, which row-level security shows to super admins only.
 */
export async function listSplitChanges(
  tx: AnyTx,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<SplitChanges> {
  if (tx.scope.kind !== 'all') return [];
  const inRange = sql`e.at >= ${from}::date::timestamp AT TIME ZONE 'UTC'
    AND e.at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`;
  const { rows } = await sql<SplitChanges[number]>`
    SELECT app.utc_day(x.at)::text AS day, x.provider, trim_scale(x.before)::text AS before,
      trim_scale(x.after)::text AS after
    FROM (
      SELECT e.at, e.seq, NULL AS provider, (e.before ->> 'split_percentage')::numeric AS before,
        (e.after ->> 'split_percentage')::numeric AS after
      FROM audit_entry e
      WHERE e.target_kind = 'community' AND e.target_id = ${id} AND e.action = 'community.settings_changed'
        AND e.after ? 'split_percentage' AND ${inRange}
      UNION ALL
      SELECT e.at, e.seq, coalesce(l.custom_display_name, p.display_name),
        100 * (e.before ->> 'payment_split_percentage')::numeric,
        100 * (e.after ->> 'payment_split_percentage')::numeric
      FROM community_provider l JOIN provider p ON p.id = l.provider_id
      JOIN audit_entry e ON e.target_kind = 'provider' AND e.target_id = p.id::text AND e.action = 'provider.changed'
      WHERE l.community_id = ${id} AND e.after ? 'payment_split_percentage' AND ${inRange}
        AND e.at >= l.created_at AND (l.removed_at IS NULL OR e.at < l.removed_at)) x
    WHERE x.before IS NOT NULL AND x.after IS NOT NULL
    ORDER BY x.at DESC, x.seq DESC LIMIT ${sql.lit(MOST_CHANGES)}`.execute(tx.sql);
  return rows;
}
