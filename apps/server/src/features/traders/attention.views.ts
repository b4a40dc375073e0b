import { sql } from 'kysely';
import { type AttentionSource, aboutTrader } from '../../core/attention/attention-source.ts';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** Traders whom a reminder suggested as delinquent, while they owe the provider that they have chosen. */
export const suggestedTraders: AttentionSource = {
  items: (tx) => ({
    from: sql`trader t
      JOIN LATERAL (SELECT sum(i.amount_units - i.paid_units) AS units, count(*) AS n FROM invoice i
        WHERE i.trader_id = t.id AND ${isOwed} AND i.due_at < now() AND ${providerInScope(tx, 'i.provider_id')}
          AND i.provider_id = t.selected_provider_id OFFSET 0) owed ON owed.n > 0
      WHERE t.suggested_delinquent_at IS NOT NULL AND t.status <> 'delinquent'
        AND ${providerInScope(tx, 't.selected_provider_id')}`,
    subject: sql`t.id::text`,
    providerId: sql`t.selected_provider_id`,
    since: sql`t.suggested_delinquent_at`,
    amountUnits: sql`owed.units`,
    count: sql`owed.n`,
  }),
  about: aboutTrader,
};
