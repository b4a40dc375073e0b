import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { UNKNOWN_REFERENCE } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { type LockedInvoice, lockInvoices } from '../books/invoices.store.ts';
import { addedUp } from '../groups/invoice-groups.ts';
import { invoiceConditions } from '../list/invoice-filters.ts';

export type Selection = Omit<
  CallParsed<'PATCH /api/invoices/admin/archive'>['body'],
  'is_archived' | 'reason'
>;

/** More than an operator can review, and more than one transaction should hold. */
const MOST = 10_000;

/**
 * Locks the selected invoices. Requests one row more than the maximum and no further, because a group can have hundreds
 * of thousands of invoices, which would exhaust this process's memory.
 * @throws Refusal `not_found`, `validation_failed`, `selection_changed`, `strangers_together`
 */
export async function lockChosen(tx: WriteTx, selection: Selection): Promise<LockedInvoice[]> {
  if (meansAllUnknown(selection)) throw new Refusal('strangers_together');
  const invoices = await lockInvoices(tx, chosenBy(tx, selection), MOST + 1);
  requireChosen(selection, invoices);
  if (!selection.run_id) await refuseStrangers(tx, invoices);
  return invoices;
}

/** The selection as a condition over `invoice i`. */
function chosenBy(tx: Tx, { invoice_ids, run_id, groups, matching }: Selection): RawBuilder<unknown> {
  if (matching) return matchingOf(tx, matching);
  if (run_id) return sql`i.invoicing_run_id = ${run_id}`;
  if (!groups) return sql`i.id = ANY (${invoice_ids ?? []}::uuid[])`;
  const { reference_numbers: names, filters = { invoice_type: 'all' as const }, in_archive } = groups;
  const orUnknown = names.includes(UNKNOWN_REFERENCE) ? sql`OR g.reference IS NULL` : sql``;
  // One condition for all groups: one condition per group, joined by OR, would read all invoices.
  return sql`i.is_archived = ${in_archive} AND ${invoiceConditions(tx, { ...filters, reference_number: undefined })}
    AND i.trader_id IN (SELECT g.trader_id FROM invoice_group g
      WHERE ${providerInScope(tx, 'g.provider_id')} AND (g.reference = ANY (${names}::text[]) ${orUnknown}))`;
}

/**
 * All invoices behind the groups of a tab, except those without a reference number: their traders are
 * unrelated.
 */
function matchingOf(
  tx: Tx,
  { tab, filters, except }: NonNullable<Selection['matching']>,
): RawBuilder<unknown> {
  const asked = { invoice_type: 'all' as const, ...filters };
  return sql`i.is_archived = ${tab === 'archived'} AND ${invoiceConditions(tx, asked)}
    AND i.trader_id IN (SELECT g.trader_id FROM (${addedUp(tx, asked, tab, 'created_at')}) g)
    AND i.trader_id NOT IN (SELECT e.trader_id FROM invoice_group e
      WHERE ${providerInScope(tx, 'e.provider_id')} AND e.reference = ANY (${except}::text[]))`;
}

type Effect = CallAnswer<'POST /api/invoices/admin/preview'>['data'];

/** What each action changes, over `invoice i`. */
const CHANGES = {
  pay: sql`i.status = 'pending'`,
  unpay: sql`i.status = 'paid'`,
  archive: sql`NOT i.is_archived`,
  unarchive: sql`i.is_archived`,
  recall: sql`app.recall_refusal(i) IS NULL`,
};

/** Of the selected invoices `i`: how many cannot be recalled, by why. */
const leftOut = sql`(SELECT coalesce(json_agg(json_build_object('reason', l.reason, 'invoices', l.invoices)
    ORDER BY l.invoices DESC, l.reason), '[]')
  FROM (SELECT app.recall_refusal(i) AS reason, count(*)::int AS invoices FROM chosen c JOIN invoice i ON i.id = c.id
    GROUP BY 1) l WHERE l.reason IS NOT NULL)`;

/**
 * What an action would do to the selected invoices, all of them counted.
 * @throws Refusal `not_found`: none is selected; `strangers_together`
 */
export async function planAct(
  tx: Tx,
  { act, ...selection }: Selection & { act: keyof typeof CHANGES },
): Promise<Effect> {
  if (meansAllUnknown(selection)) throw new Refusal('strangers_together');
  const changing = sql`FILTER (WHERE ${CHANGES[act]})`;
  const sum = act === 'pay' ? sql`i.amount_units - i.paid_units` : sql`i.amount_units`;
  const givesUp = act === 'pay' || act === 'archive';
  const { rows } = await sql<Effect>`
    WITH chosen AS MATERIALIZED (SELECT i.id FROM invoice i
      WHERE ${chosenBy(tx, selection)} AND ${providerInScope(tx, 'i.provider_id')})
    SELECT count(*)::int AS selected, count(DISTINCT i.trader_id)::int AS traders,
      (count(*) ${changing})::int AS changing, ${usdt(sql`coalesce(sum(${sum}) ${changing}, 0)`)} AS sum,
      ${
        givesUp
          ? usdt(sql`coalesce(sum(i.amount_units - i.paid_units)
            FILTER (WHERE i.status = 'pending' AND ${CHANGES[act]}), 0)`)
          : sql`'0'`
      } AS given_up,
      ${act === 'unpay' ? sql`(count(*) FILTER (WHERE i.status = 'paid' AND i.paid_units > 0))::int` : sql`0`} AS on_chain,
      ${act === 'recall' ? leftOut : sql`'[]'::json`} AS left_out
    FROM chosen c JOIN invoice i ON i.id = c.id`.execute(tx.sql);
  const [effect] = rows;
  if (!effect || effect.selected === 0) throw new Refusal('not_found');
  return effect;
}

/**
 * The group without a reference number holds unrelated traders: an action on it must name one before any row is locked.
 */
const meansAllUnknown = ({ groups }: Selection) =>
  groups?.reference_numbers.includes(UNKNOWN_REFERENCE) === true && groups.filters?.trader_id === undefined;

/** Refuses an action on several traders that share only the lack of a reference number. */
async function refuseStrangers(tx: Tx, invoices: readonly LockedInvoice[]): Promise<void> {
  const traderIds = [...new Set(invoices.map(({ traderId }) => traderId))];
  const { rows } = await sql`
    SELECT FROM trader t
    WHERE t.id = ANY (${traderIds}::uuid[]) AND coalesce(t.reference_number, ${UNKNOWN_REFERENCE}) = ${UNKNOWN_REFERENCE}
      AND ${traderInScope(tx, 't.id')} LIMIT 2`.execute(tx.sql);
  if (rows.length > 1) throw new Refusal('strangers_together');
}

/** Throws when an invoice is missing or out of scope, or when the count differs from the one the caller saw. */
function requireChosen({ invoice_ids, expected_count }: Selection, invoices: readonly LockedInvoice[]): void {
  if (invoices.length === 0 || (invoice_ids && invoices.length < new Set(invoice_ids).size))
    throw new Refusal('not_found');
  // Checked before the expected count, because the true count is unknown beyond this maximum.
  if (invoices.length > MOST)
    throw new Refusal('validation_failed', {
      message: `More than ${MOST.toLocaleString('en-US')} invoices cannot be changed at once. Please narrow the filters.`,
    });
  if (expected_count !== undefined && expected_count !== invoices.length)
    throw new Refusal('selection_changed');
}
