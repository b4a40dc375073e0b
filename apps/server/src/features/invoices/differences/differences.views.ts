import type { CallAnswer } from '@copydesk/contract';
import type { DifferenceKind } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import { communityJson, traderJson } from '../../../core/traders/trader-columns.ts';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';

type Differences = Pick<CallAnswer<'GET /api/invoices/differences'>, 'data' | 'meta'>;

/**
 * Differences that are not decided as they are now, of the three kinds. Triggers note the decisions, and each kind has an
 * index of the open ones. Row-level security shows them to super admins only.
 */
const open = (tx: AnyTx): RawBuilder<unknown> => sql`
  SELECT d.* FROM (
    SELECT 'corrected_close' AS kind, p.id, p.corrected_pnl::text AS seen, p.corrected_at AS found_at, p.account_id,
      p.symbol, p.invoice_id, NULL::uuid AS other_invoice_id, p.closed_pnl AS invoiced, p.corrected_pnl AS reported,
      p.closed_pnl - p.corrected_pnl AS over, NULL::timestamptz AS since, NULL::timestamptz AS until
    FROM closed_position p WHERE p.corrected_pnl IS NOT NULL AND NOT p.is_correction_decided
    UNION ALL
    SELECT 'doubled_close', p.id, p.double_of::text, p.created_at, p.account_id, p.symbol, p.invoice_id, o.invoice_id,
      p.closed_pnl, NULL, p.closed_pnl, NULL, NULL
    FROM closed_position p JOIN closed_position o ON o.id = p.double_of
    WHERE p.double_of IS NOT NULL AND NOT p.is_double_decided AND p.invoice_id IS NOT NULL
    UNION ALL
    SELECT 'unread_closes', r.account_id, app.iso(r.unread_until), r.unread_until, r.account_id, NULL, NULL, NULL, NULL,
      NULL, NULL, r.unread_since, r.unread_until
    FROM account_reading r WHERE r.unread_until IS NOT NULL AND NOT r.is_unread_decided) d
  JOIN exchange_account a ON a.id = d.account_id
  WHERE ${traderInScope(tx, 'a.trader_id')}`;

const trader = traderJson(sql`, 'community', ${communityJson}`);

/** Open differences between invoices and exchanges, latest first, and their number. */
export async function listDifferences(
  tx: AnyTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<Differences> {
  const { rows } = await sql<Differences>`
    WITH found AS MATERIALIZED (${open(tx)})
    SELECT (SELECT json_build_object('total', count(*)::int) FROM found) AS meta,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT f.kind, f.id, f.seen, app.iso(f.found_at) AS found_at, ${trader} AS trader,
          p.display_name AS provider_name, a.exchange, a.acc_uid, f.symbol, f.invoice_id, f.other_invoice_id,
          trim_scale(f.invoiced)::text AS invoiced_profit, trim_scale(f.reported)::text AS reported_profit,
          CASE WHEN app.is_given_up(i) THEN '0' ELSE trim_scale(trunc(f.over * i.commission_rate
            - coalesce(x.units, 0) * 0.000000000000000001, 6))::text END AS amount,
          ${usdt(sql`x.units`)} AS deducted,
          CASE WHEN f.until IS NOT NULL
            THEN json_build_object('since', app.iso(f.since), 'until', app.iso(f.until)) END AS unread
        FROM (SELECT * FROM found ORDER BY found_at DESC, id LIMIT ${limit} OFFSET ${offset}) f
        JOIN exchange_account a ON a.id = f.account_id JOIN provider p ON p.id = a.provider_id
        JOIN trader t ON t.id = a.trader_id JOIN community c ON c.id = t.community_id
        LEFT JOIN invoice i ON i.id = f.invoice_id
        CROSS JOIN LATERAL (SELECT nullif(sum(x.amount_units - coalesce(x.ended_units, 0)), 0) AS units
          FROM invoice_deduction x WHERE x.subject_id = f.id) x
        ORDER BY f.found_at DESC, f.id) r) AS data`.execute(tx.sql);
  return rows[0] as Differences;
}

type Deductions = Pick<CallAnswer<'GET /api/invoices/deductions'>, 'data' | 'meta'>;

/** Deductions of which no invoice has used a part, latest first, and their number. */
export async function listOpenDeductions(
  tx: AnyTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<Deductions> {
  const { rows } = await sql<Deductions>`
    WITH found AS MATERIALIZED (
      SELECT d.*, app.deduction_left(d) AS left_units FROM invoice_deduction d
      WHERE d.is_open AND ${traderInScope(tx, 'd.trader_id')})
    SELECT (SELECT json_build_object('total', count(*)::int) FROM found) AS meta,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT d.id, ${trader} AS trader, p.display_name AS provider_name, d.invoice_id, k.symbol,
          ${usdt(sql`d.amount_units`)} AS amount,
          ${usdt(sql`(d.amount_units - coalesce(d.ended_units, 0) - d.left_units)`)} AS used,
          ${usdt(sql`d.left_units`)} AS left, d.decided_by, app.iso(d.decided_at) AS decided_at
        FROM (SELECT * FROM found ORDER BY decided_at DESC, id LIMIT ${limit} OFFSET ${offset}) d
        JOIN provider p ON p.id = d.provider_id JOIN closed_position k ON k.id = d.subject_id
        JOIN trader t ON t.id = d.trader_id JOIN community c ON c.id = d.community_id
        ORDER BY d.decided_at DESC, d.id) r) AS data`.execute(tx.sql);
  return rows[0] as Deductions;
}

export interface SeenDifference {
  kind: DifferenceKind;
  id: string;
  seen: string;
}

/** The trader of a difference that is still as it was seen, or null. */
export async function findDifferenceTrader(
  tx: Tx,
  { kind, id, seen }: SeenDifference,
): Promise<string | null> {
  const { rows } = await sql<{ trader_id: string }>`
    SELECT a.trader_id FROM (${open(tx)}) f JOIN exchange_account a ON a.id = f.account_id
    WHERE f.kind = ${kind} AND f.id = ${id} AND f.seen = ${seen}`.execute(tx.sql);
  return rows[0]?.trader_id ?? null;
}
