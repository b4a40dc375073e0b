import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { type MarkableInvoice, refuseUnpaid } from '@copydesk/domain/invoices';
import { sql } from 'kysely';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { hasOtherOpenOrder } from '../books/invoices.store.ts';
import { invoiceColumns, offPlatformUnits } from '../list/invoice-json.ts';
import { type BasisFacts, basisFacts, basisOf } from './invoice-basis.ts';

type Detail = CallAnswer<'GET /api/invoices/{id}'>['data'];
type Positions = CallAnswer<'GET /api/invoices/{id}/positions'>;

/**
 * An invoice is in scope with its provider only while its trader is too, because the trader may have moved to another
 * provider.
 */
const isInScope = (tx: AnyTx) =>
  sql`${providerInScope(tx, 'i.provider_id')} AND ${traderInScope(tx, 'i.trader_id')}`;

/** An invoice in scope in its wire shape, as JSON text; null when there is none. */
export async function findInvoice(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    SELECT row_to_json(r)::text AS json
    FROM invoice i JOIN trader t ON t.id = i.trader_id LEFT JOIN provider p ON p.id = i.provider_id
    CROSS JOIN LATERAL (SELECT ${invoiceColumns}) r
    WHERE i.id = ${id} AND ${isInScope(tx)}`.execute(tx.sql);
  return rows[0]?.json ?? null;
}

/** The side panel's details of an invoice in scope; null when there is none. */
export async function findDetail(tx: AnyTx, id: string): Promise<Detail | null> {
  const { rows } = await sql<{
    json: Omit<Detail, 'unpaid_refusal' | 'basis'>;
    basis: BasisFacts;
    was_paid: boolean;
    has_payout: boolean;
    has_other_open_order: boolean;
  }>`
    SELECT row_to_json(r) AS json, i.paid_units > 0 AS was_paid,
      EXISTS (SELECT FROM payable y WHERE y.invoice_id = i.id AND y.payout_id IS NOT NULL) AS has_payout,
      ${hasOtherOpenOrder} AS has_other_open_order, ${basisFacts(tx, chargedPositions)} AS basis
    FROM invoice i JOIN trader t ON t.id = i.trader_id JOIN community c ON c.id = i.community_id
    LEFT JOIN provider p ON p.id = i.provider_id
    CROSS JOIN LATERAL (SELECT ${invoiceColumns}, c.name AS community_name,
      trim_scale(i.commission_rate)::text AS commission_rate, i.settled_by, i.harvest_cycle_id IS NOT NULL AS is_of_pool,
      app.iso(i.paid_at) AS paid_at, app.recall_refusal(i) AS recall_refusal,
      ${offPlatform} AS off_platform, ${deductions} AS deductions, ${split} AS split, ${payments(tx)} AS payments) r
    WHERE i.id = ${id} AND ${isInScope(tx)}`.execute(tx.sql);
  const row = rows[0];
  if (!row) return null;
  const facts: MarkableInvoice = {
    status: row.json.status,
    isOfPool: row.json.is_of_pool,
    wasPaidOnChain: row.was_paid,
    hasPayout: row.has_payout,
    hasOtherOpenOrder: row.has_other_open_order,
  };
  return {
    ...row.json,
    basis: basisOf(row.basis),
    unpaid_refusal: row.json.is_paid ? refuseUnpaid(facts) : null,
  };
}

/** The payment claimed by the import first, then the manual settlement. */
const offPlatform = sql`(
  SELECT coalesce(json_agg(json_build_object('amount', ${usdt(sql`e.units`)}, 'reason', e.reason)), '[]')
  FROM (VALUES (i.off_platform_units, i.off_platform_reason),
    (${offPlatformUnits} - i.off_platform_units, 'marked_paid')) e (units, reason)
  WHERE e.units > 0)`;

/** What earlier invoices charged too much. */
const deductions = sql`(
  SELECT coalesce(json_agg(json_build_object('amount', ${usdt(sql`u.amount_units`)}, 'invoice_id', d.invoice_id,
    'symbol', c.symbol) ORDER BY d.decided_at, d.id), '[]')
  FROM invoice_deduction_use u JOIN invoice_deduction d ON d.id = u.deduction_id
  JOIN closed_position c ON c.id = d.subject_id WHERE u.invoice_id = i.id)`;

/** The frozen parts, each with its state, and tips, which are in no split. */
const split = sql`(
  SELECT coalesce(json_agg(s ORDER BY s.position, s.amount), '[]') FROM (
    SELECT part.position, part.value ->> 'recipient_type' AS recipient_type,
      ${usdt(sql`(part.value ->> 'units')::numeric`)} AS amount, state.state, y.recipient_address
    FROM jsonb_array_elements(i.split) WITH ORDINALITY part (value, position)
    LEFT JOIN payable y ON y.invoice_id = i.id AND y.recipient_type = part.value ->> 'recipient_type'
      AND y.payment_id IS NULL AND y.recipient_type <> 'tip'
    CROSS JOIN LATERAL (SELECT ${payableState()} AS state) state
    UNION ALL
    SELECT 100, y.recipient_type, ${usdt(sql`y.amount_units`)}, ${payableState()}, y.recipient_address
    FROM payable y WHERE y.invoice_id = i.id AND y.recipient_type = 'tip') s)`;

function payableState() {
  return sql`CASE WHEN y.id IS NULL THEN 'frozen' WHEN y.paid_at IS NOT NULL THEN 'paid'
    WHEN y.payout_id IS NOT NULL THEN 'in_payout' ELSE 'due' END`;
}

const payments = (tx: AnyTx) => sql`(
  SELECT coalesce(json_agg(json_build_object('amount', ${usdt(sql`m.amount_units`)}, 'tip', ${usdt(sql`m.tip_units`)},
    'transaction_hash', m.transaction_hash, 'received_at', app.iso(m.received_at))
    ORDER BY m.received_at, m.created_at), '[]')
  FROM invoice_payment m WHERE m.invoice_id = i.id AND ${providerInScope(tx, 'm.provider_id')})`;

/** The positions of an invoice `i`: of one that was recalled, those that it charged, at the profit of then. */
export const chargedPositions = (tx: AnyTx) => sql`(
  SELECT c.id, c.closed_pnl FROM closed_position c
  WHERE c.invoice_id = i.id AND ${providerInScope(tx, 'c.provider_id')}
  UNION ALL
  SELECT r.position_id, r.closed_pnl FROM recalled_position r
  WHERE r.invoice_id = i.id AND ${providerInScope(tx, 'r.provider_id')})`;

/** The positions in scope of an invoice in scope; null when there is no such invoice. */
export async function listPositions(
  tx: AnyTx,
  id: string,
  { limit = 25, offset = 0 }: CallParsed<'GET /api/invoices/{id}/positions'>['query'],
): Promise<Pick<Positions, 'data' | 'meta'> | null> {
  const { rows } = await sql<{ data: Positions['data']; total: number; profit: string }>`
    SELECT s.total, s.profit, (
      SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT c.id, a.exchange, a.acc_uid, p.display_name AS provider_name, c.symbol, c.side, trim_scale(c.entry_price)::text AS entry_price,
          trim_scale(c.exit_price)::text AS exit_price, trim_scale(c.leverage)::text AS leverage,
          trim_scale(c.contracts)::text AS contracts, trim_scale(o.closed_pnl)::text AS closed_pnl, c.fees_included,
          app.iso(c.opened_at) AS opened_at, app.iso(c.closed_at) AS closed_at
        FROM ${chargedPositions(tx)} o JOIN closed_position c ON c.id = o.id
        JOIN exchange_account a ON a.id = c.account_id JOIN provider p ON p.id = c.provider_id
        ORDER BY c.closed_at DESC, c.id LIMIT ${limit} OFFSET ${offset}) r) AS data
    FROM invoice i
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, trim_scale(coalesce(sum(o.closed_pnl), 0))::text AS profit
      FROM ${chargedPositions(tx)} o) s
    WHERE i.id = ${id} AND ${isInScope(tx)}`.execute(tx.sql);
  const row = rows[0];
  return row ? { data: row.data, meta: { total: row.total, profit: row.profit } } : null;
}
