import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import {
  isDay,
  isFirstPart,
  kindConditions,
  ownRows,
  type SweepFilters,
  shareConditions,
} from './sweep-filters.ts';
import { awaitsApproval, usdt } from './sweep-json.ts';

type Summary = CallAnswer<'GET /api/sweep-operations/summary'>;

export interface SweepSums {
  types: Summary['data'];
  total: number;
  /** USDT, decimal string */
  total_amount: string;
}

/** What matches, added up by recipient type and as a whole: from the sums by month or day where these suffice. */
export async function sumSweeps(tx: Tx, filters: SweepFilters): Promise<SweepSums> {
  const { rows } = await sql<{ sums: SweepSums }>`
    WITH counted AS MATERIALIZED (
      SELECT recipient_type, sum(units) AS units, coalesce(sum(operations), 0)::int AS operations,
        ${sumsWhere(sql`status = 'distributed'`, 'paid')}, ${sumsWhere(sql`status = 'failed'`, 'failed')},
        min(first_created) AS first_at, max(last_created) AS last_at
      FROM (${sql.join(sources(tx, filters), sql` UNION ALL `)}) part GROUP BY recipient_type),
    awaiting AS MATERIALIZED (
      SELECT recipient_type, sum(units) AS awaiting_units, sum(operations)::int AS awaiting_operations
      FROM (${fromShares(tx, filters, sql`AND s.operation_id IN (SELECT o.id FROM sweep_operation o WHERE ${awaitsApproval})`)}) part
      GROUP BY recipient_type),
    by_type AS (
      SELECT counted.*, coalesce(awaiting_units, 0) AS awaiting_units, coalesce(awaiting_operations, 0) AS awaiting_operations
      FROM counted LEFT JOIN awaiting USING (recipient_type))
    SELECT json_build_object('total', coalesce(sum(operations), 0), 'total_amount', ${usdt(sql`coalesce(sum(units), 0)`)},
      'types', coalesce(json_agg(json_build_object('recipient_type', recipient_type, 'total_amount', ${usdt(sql`units`)},
        'count', operations,
        'paid', ${part(sql`paid_units`, sql`paid_operations`)},
        'awaiting_approval', ${part(sql`awaiting_units`, sql`awaiting_operations`)},
        'under_way', ${part(
          sql`(units - paid_units - failed_units - awaiting_units)`,
          sql`operations - paid_operations - failed_operations - awaiting_operations`,
        )},
        'failed', ${part(sql`failed_units`, sql`failed_operations`)},
        'first_at', app.iso(first_at), 'last_at', app.iso(last_at))
        ORDER BY units DESC, recipient_type), '[]')) AS sums
    FROM by_type`.execute(tx.sql);
  return rows[0]?.sums ?? { types: [], total: 0, total_amount: '0' };
}

const sumsWhere = (condition: RawBuilder<unknown>, name: string) => sql`
  coalesce(sum(units) FILTER (WHERE ${condition}), 0) AS ${sql.ref(`${name}_units`)},
  coalesce(sum(operations) FILTER (WHERE ${condition}), 0)::int AS ${sql.ref(`${name}_operations`)}`;

const part = (units: RawBuilder<unknown>, operations: RawBuilder<unknown>) =>
  sql`json_build_object('amount', ${usdt(units)}, 'count', ${operations})`;

/** Where the figures of the filters come from: whole months, whole days, or the operations themselves. */
function sources(tx: Tx, filters: SweepFilters): RawBuilder<unknown>[] {
  const { created_at_from: from, created_at_to: to, search, found } = filters;
  const isWithinDay = (from && !isDay(from)) || (to && !isDay(to));
  if (search !== undefined || found || isWithinDay) return [fromShares(tx, filters)];
  const grain = from || to ? sql`s.grain = 'day'` : sql`s.grain = 'month'`;
  const range = sql`${from ? sql`AND s.period >= ${from}::date` : sql``}
    ${to ? sql`AND s.period <= ${to}::date` : sql``}`;
  return [
    sql`SELECT s.recipient_type, s.status, s.amount_units AS units, CASE WHEN ${isFirstPart(tx)} THEN s.operations ELSE 0 END AS operations,
      s.first_created, s.last_created
    FROM sweep_sum s WHERE ${ownRows(tx, 's')} AND ${grain} ${range} ${kindConditions(filters)}`,
  ];
}

function fromShares(tx: Tx, filters: SweepFilters, condition = sql``): RawBuilder<unknown> {
  return sql`SELECT s.recipient_type, s.status, s.amount_units AS units, (${isFirstPart(tx)})::int AS operations,
      s.created_at AS first_created, s.created_at AS last_created
    FROM sweep_share s WHERE ${ownRows(tx, 's')} ${shareConditions(filters)} ${condition}`;
}
