import { OVERDUE_DAYS } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import { type AttentionSource, aboutTrader } from '../../core/attention/attention-source.ts';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** What a trader owes a provider for long. */
export const overdueInvoices: AttentionSource = {
  items: (tx) => ({
    from: sql`invoice i WHERE ${isOwed} AND i.due_at < now() - make_interval(days => ${sql.lit(OVERDUE_DAYS)})
        AND ${providerInScope(tx, 'i.provider_id')}
      GROUP BY i.trader_id, i.provider_id`,
    subject: sql`i.trader_id::text`,
    providerId: sql`i.provider_id`,
    since: sql`min(i.due_at)`,
    amountUnits: sql`sum(i.amount_units - i.paid_units)`,
    count: sql`count(*)`,
  }),
  about: aboutTrader,
};

/** Money of a trader that no invoice took. For super admins. */
export const unmatchedPayments: AttentionSource = {
  items: () => ({
    from: sql`payment p WHERE p.open_units > 0 GROUP BY p.trader_id`,
    subject: sql`p.trader_id::text`,
    since: sql`min(p.received_at)`,
    amountUnits: sql`sum(p.open_units)`,
    count: sql`count(*)`,
  }),
  about: aboutTrader,
};

/** Drafts that would invoice something. For super admins. */
export const draftedInvoices: AttentionSource = {
  items: () => ({
    from: sql`invoicing_run r WHERE r.state = 'draft' AND r.invoices > 0`,
    subject: sql`r.id::text`,
    since: sql`r.drafted_at`,
    amountUnits: sql`r.amount_units`,
    count: sql`r.invoices`,
    // The cause stays the same when a trader is left out.
    cause: sql`'draft'`,
  }),
  about: null,
};

/** What the checks of the books found when they last ran. For super admins. */
export const failedChecks: AttentionSource = {
  items: () => ({
    from: sql`check_result c WHERE c.findings > 0`,
    subject: sql`c.name`,
    since: sql`c.checked_at`,
    code: sql`c.name`,
    count: sql`c.findings`,
    // `since` is the time of the last run, so earlier marks may be about the same finding.
    marksFrom: sql`now() - interval '7 days'`,
  }),
  about: null,
};
