import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

interface Days {
  from: string;
  to: string;
}

type EquityDays = CallAnswer<'GET /api/traders/{id}/equity'>['data'];

export async function listEquityDays(tx: AnyTx, traderId: string, { from, to }: Days): Promise<EquityDays> {
  const { rows } = await sql<EquityDays[number]>`
    SELECT s.day::text AS day, trim_scale(sum(s.equity))::text AS equity FROM equity_snapshot s
    WHERE s.trader_id = ${traderId} AND s.day BETWEEN ${from}::date AND ${to}::date
      AND ${providerInScope(tx, 's.provider_id')}
    GROUP BY s.day ORDER BY s.day`.execute(tx.sql);
  return rows;
}

type Events = CallAnswer<'GET /api/traders/{id}/equity'>['meta']['events'];

const MOST_EVENTS = 1000;

/** Invoices and payments of a trader by day (UTC), newest first. One payment of several invoices counts once. */
export async function listEvents(tx: AnyTx, traderId: string, { from, to }: Days): Promise<Events> {
  const inRange = (column: string) => sql`${sql.ref(column)} >= ${from}::date::timestamp AT TIME ZONE 'UTC'
    AND ${sql.ref(column)} < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`;
  const { rows } = await sql<Events[number]>`
    SELECT e.day::text AS day, e.kind, count(DISTINCT e.id)::int AS count,
      trim_scale(sum(e.units) * 0.000000000000000001)::text AS amount,
      CASE WHEN count(DISTINCT e.invoice_id) = 1 THEN min(e.invoice_id::text) END AS invoice_id
    FROM (
      SELECT app.utc_day(i.created_at) AS day, 'invoice' AS kind, i.id, i.id AS invoice_id, i.amount_units AS units
      FROM invoice i
      WHERE i.trader_id = ${traderId} AND i.status <> 'cancelled' AND ${inRange('i.created_at')}
        AND ${providerInScope(tx, 'i.provider_id')}
      UNION ALL
      SELECT app.utc_day(m.received_at), 'payment', m.payment_id, i.id, m.amount_units
      FROM invoice i JOIN invoice_payment m ON m.invoice_id = i.id
      WHERE i.trader_id = ${traderId} AND ${inRange('m.received_at')} AND ${providerInScope(tx, 'i.provider_id')}) e
    GROUP BY e.day, e.kind ORDER BY e.day DESC, e.kind LIMIT ${sql.lit(MOST_EVENTS)}`.execute(tx.sql);
  return rows;
}

type PnlDays = CallAnswer<'GET /api/traders/{id}/pnl-days'>['data'];

export async function listPnlDays(tx: AnyTx, traderId: string, { from, to }: Days): Promise<PnlDays> {
  const { rows } = await sql<PnlDays[number]>`
    SELECT d.day::text AS day,
      CASE WHEN sum(d.positions) > sum(d.unknown_profit) THEN trim_scale(sum(d.closed_pnl))::text END AS closed_pnl,
      sum(d.positions)::int AS positions, sum(d.unknown_profit)::int AS unknown_profit
    FROM closed_position_day d
    WHERE d.trader_id = ${traderId} AND d.day BETWEEN ${from}::date AND ${to}::date
      AND ${providerInScope(tx, 'd.provider_id')}
    GROUP BY d.day HAVING sum(d.positions) > 0 ORDER BY d.day`.execute(tx.sql);
  return rows;
}

type AuditPage = CallAnswer<'GET /api/traders/{id}/audit'>;

/** Changes to a trader and its exchange accounts, newest first. Row-level security shows them to super admins only. */
export async function listAudit(
  tx: AnyTx,
  traderId: string,
  page: { limit: number; offset: number },
): Promise<Pick<AuditPage, 'data' | 'meta'>> {
  const { rows } = await sql<{ data: AuditPage['data']; total: number }>`
    SELECT (SELECT count(*)::int FROM audit_entry e WHERE e.target_kind = 'trader' AND e.target_id = ${traderId})
        AS total,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT app.iso(e.at) AS at, e.actor_name, e.actor_kind, e.action, e.before, e.after
        FROM audit_entry e WHERE e.target_kind = 'trader' AND e.target_id = ${traderId}
        ORDER BY e.seq DESC LIMIT ${page.limit} OFFSET ${page.offset}) r) AS data`.execute(tx.sql);
  return { data: rows[0]?.data ?? [], meta: { total: rows[0]?.total ?? 0 } };
}
