import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

export type ProviderFigures = Omit<CallAnswer<'GET /api/providers/{id}/figures'>['data'], 'totals_at'>;

const usdt = (units: RawBuilder<unknown>) =>
  sql`trim_scale(coalesce(${units}, 0) * 0.000000000000000001)::text`;

/**
 * Traders, invoices and shares of a provider. Sums by group and by month keep it from reading every invoice and payout.
 */
export async function sumProvider(tx: AnyTx, providerId: string): Promise<ProviderFigures> {
  const inScope = providerInScope(tx, 'provider_id');
  const { rows } = await sql<ProviderFigures>`
    SELECT
      (SELECT count(*)::int FROM community_provider WHERE provider_id = ${providerId} AND removed_at IS NULL
        AND ${inScope}) AS community_count,
      (SELECT count(*)::int FROM identity.person p WHERE ${providerId}::uuid = ANY (p.provider_ids)
        AND p.admin AND p.disabled_at IS NULL) AS staff_count,
      seen.traders AS trader_count, trim_scale(seen.aum)::text AS total_aum,
      trim_scale(seen.capital)::text AS pool_capital,
      json_build_object(
        'unpaid', json_build_object('count', open.unpaid, 'amount', ${usdt(sql`open.unpaid_units`)}),
        'overdue', json_build_object('count', open.overdue, 'amount', ${usdt(sql`open.overdue_units`)}),
        'paid', json_build_object('count', done.invoices, 'amount', ${usdt(sql`done.paid_units`)})) AS invoices,
      json_build_object('pending', ${usdt(sql`owed.pending_units`)},
        'under_way', ${usdt(sql`out.under_way_units`)}, 'failed', ${usdt(sql`out.failed_units`)}, 'paid_out', ${usdt(sql`out.paid_units`)}) AS share
    FROM (SELECT count(*)::int AS traders, coalesce(sum(aum), 0) AS aum,
        coalesce(sum(pool_capital), 0) AS capital FROM trader_provider
        WHERE provider_id = ${providerId} AND ${inScope}) seen,
      (SELECT count(*)::int AS unpaid, sum(amount_units - paid_units) AS unpaid_units,
          (count(*) FILTER (WHERE due_at < now()))::int AS overdue,
          sum(amount_units - paid_units) FILTER (WHERE due_at < now()) AS overdue_units
        FROM invoice WHERE provider_id = ${providerId} AND status = 'pending' AND NOT is_archived
          AND ${inScope}) open,
      (SELECT coalesce(sum(invoices - unpaid), 0)::int AS invoices, sum(paid_units) AS paid_units
        FROM invoice_group WHERE provider_id = ${providerId} AND ${inScope}) done,
      (SELECT sum(amount_units) AS pending_units FROM payable
        WHERE provider_id = ${providerId} AND recipient_type = 'mark' AND payout_id IS NULL AND settled_at IS NULL
          AND ${inScope}) owed,
      (SELECT sum(amount_units) FILTER (WHERE status = 'distributed') AS paid_units,
          sum(amount_units) FILTER (WHERE status = 'failed') AS failed_units,
          sum(amount_units) FILTER (WHERE status NOT IN ('distributed', 'failed')) AS under_way_units
        FROM payout_sum WHERE provider_id = ${providerId} AND grain = 'month' AND recipient_type = 'mark'
          AND ${inScope}) out`.execute(tx.sql);
  const [figures] = rows;
  if (!figures) throw new Error('a query without a table of its own returns one row');
  return figures;
}
