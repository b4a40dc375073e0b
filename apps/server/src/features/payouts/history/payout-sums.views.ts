import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import {
  isDay,
  isFirstPart,
  kindConditions,
  ownRows,
  type PayoutFilters,
  payoutConditions,
} from './payout-filters.ts';
import { awaitsApproval } from './payout-json.ts';

type Summary = CallAnswer<'GET /api/sweep-operations/summary'>;

export interface PayoutSums {
  types: Summary['data'];
  total: number;
  /** USDT, decimal string */
  total_amount: string;
}

/**
 * Sums of the matches by recipient type and in total, from the sums by month or day where these suffice. A payout that
 * was ordered again is in `total`, as in the list, and its amount is that of its successor alone.
 */
export async function sumPayouts(tx: AnyTx, filters: PayoutFilters): Promise<PayoutSums> {
  const { rows } = await sql<{ sums: PayoutSums }>`
    WITH counted AS MATERIALIZED (
      SELECT recipient_type, coalesce(sum(units) FILTER (WHERE status <> 'replaced'), 0) AS units,
        coalesce(sum(payouts) FILTER (WHERE status <> 'replaced'), 0)::int AS payouts,
        ${sumsWhere(sql`status = 'replaced'`, 'replaced')},
        ${sumsWhere(sql`status = 'distributed'`, 'paid')}, ${sumsWhere(sql`status = 'failed'`, 'failed')},
        min(first_created) AS first_at, max(last_created) AS last_at
      FROM (${sql.join(sources(tx, filters), sql` UNION ALL `)}) part GROUP BY recipient_type),
    awaiting AS MATERIALIZED (
      SELECT recipient_type, sum(units) AS awaiting_units, sum(payouts)::int AS awaiting_payouts
      FROM (${fromPayouts(tx, filters, sql`AND s.payout_id IN (SELECT o.id FROM payout o WHERE ${awaitsApproval})`)}) part
      GROUP BY recipient_type),
    by_type AS (
      SELECT counted.*, coalesce(awaiting_units, 0) AS awaiting_units, coalesce(awaiting_payouts, 0) AS awaiting_payouts
      FROM counted LEFT JOIN awaiting USING (recipient_type))
    SELECT json_build_object('total', coalesce(sum(payouts + replaced_payouts), 0), 'total_amount', ${usdt(sql`coalesce(sum(units), 0)`)},
      'types', coalesce(json_agg(json_build_object('recipient_type', recipient_type, 'total_amount', ${usdt(sql`units`)},
        'count', payouts,
        'paid', ${part(sql`paid_units`, sql`paid_payouts`)},
        'awaiting_approval', ${part(sql`awaiting_units`, sql`awaiting_payouts`)},
        'under_way', ${part(
          sql`(units - paid_units - failed_units - awaiting_units)`,
          sql`payouts - paid_payouts - failed_payouts - awaiting_payouts`,
        )},
        'failed', ${part(sql`failed_units`, sql`failed_payouts`)},
        'replaced', ${part(sql`replaced_units`, sql`replaced_payouts`)},
        'first_at', app.iso(first_at), 'last_at', app.iso(last_at))
        ORDER BY units DESC, recipient_type), '[]')) AS sums
    FROM by_type`.execute(tx.sql);
  return rows[0]?.sums ?? { types: [], total: 0, total_amount: '0' };
}

const sumsWhere = (condition: RawBuilder<unknown>, name: string) => sql`
  coalesce(sum(units) FILTER (WHERE ${condition}), 0) AS ${sql.ref(`${name}_units`)},
  coalesce(sum(payouts) FILTER (WHERE ${condition}), 0)::int AS ${sql.ref(`${name}_payouts`)}`;

const part = (units: RawBuilder<unknown>, payouts: RawBuilder<unknown>) =>
  sql`json_build_object('amount', ${usdt(units)}, 'count', ${payouts})`;

/** The sources of the sums for these filters: whole months, whole days, or the payouts themselves. */
function sources(tx: AnyTx, filters: PayoutFilters): RawBuilder<unknown>[] {
  const { created_at_from: from, created_at_to: to, search, found } = filters;
  const isWithinDay = (from && !isDay(from)) || (to && !isDay(to));
  if (search !== undefined || found || isWithinDay) return [fromPayouts(tx, filters)];
  const grain = from || to ? sql`s.grain = 'day'` : sql`s.grain = 'month'`;
  const range = sql`${from ? sql`AND s.period >= ${from}::date` : sql``}
    ${to ? sql`AND s.period <= ${to}::date` : sql``}`;
  return [
    sql`SELECT s.recipient_type, s.status, s.amount_units AS units, CASE WHEN ${isFirstPart(tx)} THEN s.payouts ELSE 0 END AS payouts,
      s.first_created, s.last_created
    FROM payout_sum s WHERE ${ownRows(tx, 's')} AND ${grain} ${range} ${kindConditions(filters)}`,
  ];
}

function fromPayouts(tx: AnyTx, filters: PayoutFilters, condition = sql``): RawBuilder<unknown> {
  return sql`SELECT s.recipient_type, s.status, s.amount_units AS units, (${isFirstPart(tx)})::int AS payouts,
      s.created_at AS first_created, s.created_at AS last_created
    FROM payout_provider s WHERE ${ownRows(tx, 's')} ${payoutConditions(filters, null)} ${condition}`;
}
