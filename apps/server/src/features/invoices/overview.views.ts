import { sql } from 'kysely';
import { type DaySources, type FigureSource, startOf } from '../../core/overview/figure-source.ts';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** What traders owe; of it what is past its due date. */
export const outstanding: FigureSource = {
  rows: (tx) => sql`
    SELECT i.provider_id, sum(i.amount_units - i.paid_units) AS units, count(*) AS n,
      sum(i.amount_units - i.paid_units) FILTER (WHERE i.due_at < now()) AS part_units,
      count(*) FILTER (WHERE i.due_at < now()) AS part_n
    FROM invoice i WHERE ${isOwed} AND ${providerInScope(tx, 'i.provider_id')} GROUP BY i.provider_id`,
};

/** What runs have invoiced since a day began, those under way among them. A draft is kept for a day. */
export const invoicedSince: DaySources['invoices'] = (_tx, from) => sql`
  SELECT r.amount_units AS units, r.invoices AS n FROM invoicing_run r
  WHERE r.created_at >= ${startOf(from)} - interval '2 days' AND r.invoices > 0
    AND (r.state IN ('running', 'sending') OR r.state = 'done' AND r.finished_at >= ${startOf(from)})`;
