import { sql } from 'kysely';
import type { FigureSource } from '../../core/overview/figure-source.ts';
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
