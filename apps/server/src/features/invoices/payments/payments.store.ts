import type { Allocation } from '@copydesk/domain/invoices';
import { payableParts } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { insertPayables } from '../../../core/ledger/insert-payables.store.ts';
import { lockTradersWhere } from '../../../core/traders/lock-traders.store.ts';
import { traderLabel } from '../../../core/traders/trader-columns.ts';
import type { WriteTx } from '../../../platform/db/database.ts';

/** Incoming money of a trader, as reported by its source. */
export interface IncomingPayment {
  traderId: string;
  units: bigint;
  /** The unique key of a payment: the same source is booked once. */
  source: { type: string; id: string };
  transactionHash: string | null;
  receivedAt: Date;
}

export interface OpenPaymentRow {
  paymentId: string;
  traderId: string;
  openUnits: bigint;
  receivedAt: Date;
}

export interface KnownPayment {
  id: string;
  traderId: string;
  units: bigint;
  source: IncomingPayment['source'];
}

/** Inserts payments in their order and returns those whose source is new. */
export async function insertPayments(
  tx: WriteTx,
  payments: readonly IncomingPayment[],
): Promise<KnownPayment[]> {
  const { rows } = await sql<PaymentRow>`
    INSERT INTO payment (trader_id, amount_units, open_units, source_type, source_id, transaction_hash, received_at,
      created_at)
    SELECT trader_id, units, units, source_type, source_id, hash, received_at,
      -- Concurrent payments are applied to invoices in the order of their arrival.
      now() + place * interval '1 microsecond'
    FROM unnest(${payments.map(({ traderId }) => traderId)}::uuid[],
      ${payments.map(({ units }) => units.toString())}::numeric[],
      ${payments.map(({ source }) => source.type)}::text[],
      ${payments.map(({ source }) => source.id)}::text[],
      ${payments.map(({ transactionHash }) => transactionHash)}::text[],
      ${payments.map(({ receivedAt }) => receivedAt)}::timestamptz[]) WITH ORDINALITY
      AS p (trader_id, units, source_type, source_id, hash, received_at, place)
    ON CONFLICT (source_type, source_id) DO NOTHING
    RETURNING id, trader_id, amount_units::text AS units, source_type, source_id`.execute(tx.sql);
  return rows.map(knownPayment);
}

export async function listPayments(
  tx: WriteTx,
  sources: readonly IncomingPayment['source'][],
): Promise<KnownPayment[]> {
  const { rows } = await sql<PaymentRow>`
    SELECT id, trader_id, amount_units::text AS units, source_type, source_id FROM payment
    WHERE (source_type, source_id) IN (SELECT * FROM unnest(${sources.map(({ type }) => type)}::text[],
      ${sources.map(({ id }) => id)}::text[]))`.execute(tx.sql);
  return rows.map(knownPayment);
}

interface PaymentRow {
  id: string;
  trader_id: string;
  units: string;
  source_type: string;
  source_id: string;
}

const knownPayment = (row: PaymentRow): KnownPayment => ({
  id: row.id,
  traderId: row.trader_id,
  units: BigInt(row.units),
  source: { type: row.source_type, id: row.source_id },
});

/**
 * Unmatched payments of these traders, oldest first. Payments of a trader whose books are not open yet wait, because
 * the open amounts of its imported invoices are unknown before.
 */
export async function listOpenPayments(tx: WriteTx, traderIds: readonly string[]): Promise<OpenPaymentRow[]> {
  const { rows } = await sql<{ id: string; trader_id: string; units: string; received_at: Date }>`
    SELECT p.id, p.trader_id, p.open_units::text AS units, p.received_at
    FROM payment p JOIN trader t ON t.id = p.trader_id AND t.books_opened_at IS NOT NULL
    WHERE p.trader_id = ANY (${[...traderIds]}::uuid[]) AND p.open_units > 0
    ORDER BY p.received_at, p.created_at, p.id`.execute(tx.sql);
  return rows.map((row) => ({
    paymentId: row.id,
    traderId: row.trader_id,
    openUnits: BigInt(row.units),
    receivedAt: row.received_at,
  }));
}

/** The largest tip, base units. */
export async function readTipLimit(tx: WriteTx): Promise<bigint> {
  const { rows } = await sql<{
    units: string;
  }>`SELECT trunc(app.tip_limit())::text AS units`.execute(tx.sql);
  return BigInt(rows[0]?.units ?? 0);
}

/**
 * Saves the allocations on payments and invoices, by a function of the database that takes no more than payments have, and
 * as payables of the recipients.
 */
export async function saveAllocations(tx: WriteTx, allocations: readonly Allocation[]): Promise<void> {
  await sql`SELECT app.take_payments(${allocations.map(({ paymentId }) => paymentId)}::uuid[],
    ${allocations.map(({ invoice }) => invoice.invoiceId)}::uuid[],
    ${allocations.map(({ units }) => units.toString())}::numeric[])`.execute(tx.sql);
  await insertPayables(
    tx,
    allocations.flatMap(({ invoice, paymentId, completes, tipUnits }) => [
      ...(completes
        ? payableParts(invoice).map((part) => ({ ...part, invoiceId: invoice.invoiceId, paymentId: null }))
        : []),
      ...(tipUnits > 0n
        ? [{ invoiceId: invoice.invoiceId, recipientType: 'tip' as const, amountUnits: tipUnits, paymentId }]
        : []),
    ]),
  );
}

export interface Credit {
  paymentId: string;
  traderId: string;
  communityId: string;
  traderLabel: string;
  units: bigint;
}

/** What no invoice took of a payment, locked with its trader; null when nothing is left. */
export async function lockCredit(tx: WriteTx, paymentId: string): Promise<Credit | null> {
  await lockTradersWhere(tx, sql`t.id = (SELECT p.trader_id FROM payment p WHERE p.id = ${paymentId})`);
  const { rows } = await sql<Omit<Credit, 'units'> & { units: string }>`
    SELECT p.id AS "paymentId", p.trader_id AS "traderId", t.community_id AS "communityId",
      ${traderLabel('a trader')} AS "traderLabel", p.open_units::text AS units
    FROM payment p JOIN trader t ON t.id = p.trader_id WHERE p.id = ${paymentId} AND p.open_units > 0`.execute(
    tx.sql,
  );
  const [row] = rows;
  return row ? { ...row, units: BigInt(row.units) } : null;
}
