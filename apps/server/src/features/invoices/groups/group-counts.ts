import { EXCHANGES } from '@copydesk/domain/catalogue';
import { INVOICE_STATUSES, INVOICE_TYPES } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { boundConditions, type InvoiceFilters } from '../list/invoice-filters.ts';
import { groupConditions, ofProvider, ofProviders, providersSeen } from './cached-groups.ts';

/** Over a cached group `g`: whether any of its invoices matches, any pending one, and any unpaid one. */
interface Match {
  any: RawBuilder<unknown>;
  anyPending: RawBuilder<unknown>;
  anyUnpaid: RawBuilder<unknown>;
}

/**
 * `SELECT unpaid, paid, other, archived`: the number of matching groups with a reference number, from the sums of each
 * group without reading its invoices. null when the sums do not suffice: filters of more than one kind may match
 * different invoices of a group.
 */
export function countsByGroup(tx: AnyTx, filters: InvoiceFilters): RawBuilder<unknown> | null {
  const match = matchOf(filters);
  if (!match) return null;
  const conditions = groupConditions(tx, filters);
  const rowsOf = (whose: RawBuilder<unknown>) => sql`
    SELECT g.is_archived, ${match.any} AS is_any, ${match.anyPending} AS is_pending, ${match.anyUnpaid} AS is_unpaid
    FROM invoice_group g WHERE ${whose} AND ${conditions}`;
  return sql`SELECT (count(*) FILTER (WHERE NOT is_archived AND is_any AND is_pending))::int AS unpaid,
      (count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid IS NOT TRUE))::int AS paid,
      (count(*) FILTER (WHERE NOT is_archived AND is_any AND is_unpaid AND is_pending IS NOT TRUE))::int AS other,
      (count(*) FILTER (WHERE is_archived AND is_any))::int AS archived
    FROM (${rowsSeen()}) g`;

  function rowsSeen(): RawBuilder<unknown> {
    const providers = providersSeen(tx.scope, filters);
    if (providers === 'all') return rowsOf(sql`g.is_whole`);
    const [one, ...others] = providers;
    if (one !== undefined && others.length === 0) return rowsOf(ofProvider(tx, one));
    return sql`${rowsOf(sql`NOT g.is_shared AND ${ofProviders(tx, providers)}`)}
      UNION ALL SELECT is_archived, bool_or(is_any), bool_or(is_pending), bool_or(is_unpaid) FROM (
        SELECT g.trader_id, g.is_archived, ${match?.any} AS is_any, ${match?.anyPending} AS is_pending,
          ${match?.anyUnpaid} AS is_unpaid
        FROM invoice_group g WHERE g.is_shared AND ${ofProviders(tx, providers)} AND ${conditions}) shared
      GROUP BY trader_id, is_archived`;
  }
}

function matchOf(filters: InvoiceFilters): Match | null {
  const { is_paid, is_overdue, status = 'all', invoice_type = 'all', exchange, community_id } = filters;
  if (community_id) return null;
  const kinds = Object.keys(boundConditions(filters)).map(() => withinBound(filters));
  if (is_overdue !== undefined) kinds.push(is_overdue ? OVERDUE : NOT_OVERDUE);
  if (is_paid !== undefined || status !== 'all' || invoice_type !== 'all' || exchange)
    kinds.push(inCells(filters));
  const [only = EVERYTHING, ...others] = kinds;
  return others.length === 0 ? only : null;
}

/** The index includes the tab, so it suffices when no filter divides a group. */
const EVERYTHING: Match = {
  any: sql`true`,
  anyPending: sql`g.tab = 'unpaid'`,
  anyUnpaid: sql`g.tab IN ('unpaid', 'other')`,
};

function withinBound(filters: InvoiceFilters): Match {
  const over = (prefix: string, latest: string) =>
    sql.join(
      Object.values(
        boundConditions(filters, {
          latest: sql.ref(`g.${latest}`),
          earliest: sql.ref(`g.${prefix}first_created`),
          largest: sql.ref(`g.${prefix}max_amount`),
          smallest: sql.ref(`g.${prefix}min_amount`),
        }),
      ),
      sql` AND `,
    );
  return {
    any: over('', 'last_created'),
    anyPending: over('pending_', 'pending_last_created'),
    anyUnpaid: over('unpaid_', 'unpaid_last_created'),
  };
}

/** The matching cells of status, type and exchange, as bits; PostgreSQL computes them once per statement. */
function inCells({ is_paid, status = 'all', invoice_type = 'all', exchange }: InvoiceFilters): Match {
  const statuses = INVOICE_STATUSES.filter(
    (s) => (status === 'all' || s === status) && (is_paid === undefined || is_paid === (s === 'paid')),
  );
  const cells = (of: readonly string[]) => sql`(
    SELECT coalesce(bit_or(app.invoice_cell(s, t, e)), 0)
    FROM unnest(${sql.val([...of])}::text[]) s,
      unnest(${invoice_type === 'all' ? [...INVOICE_TYPES] : [invoice_type]}::text[]) t,
      unnest(${exchange ? [exchange] : [null, ...EXCHANGES]}::text[]) e)`;
  const anyOf = (some: readonly string[]) => sql`g.cells & ${cells(some)} <> 0`;
  return {
    any: anyOf(statuses),
    anyPending: anyOf(statuses.filter((s) => s === 'pending')),
    anyUnpaid: anyOf(statuses.filter((s) => s !== 'paid')),
  };
}

const isOverdue = sql`g.first_due < now()`;
const OVERDUE: Match = { any: isOverdue, anyPending: isOverdue, anyUnpaid: isOverdue };
const isNotDue = (status: 'paid' | 'cancelled') => inCells({ status, invoice_type: 'all' }).any;
/** Archived, settled and not yet due invoices are never overdue. */
const NOT_OVERDUE: Match = {
  any: sql`(g.is_archived OR ${isNotDue('paid')} OR ${isNotDue('cancelled')} OR g.last_due >= now())`,
  anyPending: sql`g.last_due >= now()`,
  anyUnpaid: sql`(${isNotDue('cancelled')} OR g.last_due >= now())`,
};
