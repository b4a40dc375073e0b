import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

type Days = CallAnswer<'GET /api/communities/{id}/days'>['data'];

/**
 * Days with records, oldest first. Money out is summed from paid shares, because the sums of payouts are by the day on
 * which a payout began.
 */
export async function listDays(
  tx: Tx,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<Days> {
  const { rows } = await sql<Days[number]>`
    SELECT seen.day::text AS day, trim_scale(sum(seen.equity))::text AS aum,
      trim_scale(sum(seen.received_units) * 0.000000000000000001)::text AS received,
      trim_scale(sum(seen.paid_units) * 0.000000000000000001)::text AS paid_out
    FROM (
      SELECT d.day, d.equity, d.received_units, 0::numeric AS paid_units FROM community_day d
      WHERE d.community_id = ${id} AND d.day BETWEEN ${from}::date AND ${to}::date
        AND ${providerInScope(tx, 'd.provider_id')}
      UNION ALL
      SELECT app.utc_day(y.paid_at), NULL, 0, sum(y.amount_units) FROM payable y
      WHERE y.community_id = ${id} AND y.paid_at >= ${from}::date::timestamp AT TIME ZONE 'UTC'
        AND y.paid_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC' AND ${providerInScope(tx, 'y.provider_id')}
      GROUP BY 1) seen
    GROUP BY seen.day ORDER BY seen.day`.execute(tx.sql);
  return rows;
}
