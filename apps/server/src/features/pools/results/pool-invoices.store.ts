import type { RecipientType } from '@copydesk/domain/catalogue';
import type { InvoicePlan } from '@copydesk/domain/invoices';
import type { LedgerInvoice } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { lockTradersWhere } from '../../../core/traders/lock-traders.store.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { CyclePlace } from './decide-result.ts';

// For the worker, which runs in the scope of everything.

/** The invoice of a member's fee. */
export interface NewPoolInvoice
  extends InvoicePlan,
    Pick<LedgerInvoice, 'invoiceId' | 'traderId' | 'providerId' | 'offPlatformUnits'> {
  memberId: string;
}

/**
 * Inserts invoices that the pool pays. They name its proxy wallet, because a payment to the trader's own
 * address could not be told from one by the trader.
 */
export async function insertPoolInvoices(
  tx: WriteTx,
  { poolId, cycleId }: CyclePlace,
  invoices: readonly NewPoolInvoice[],
  createdAt: Date,
): Promise<void> {
  if (invoices.length === 0) return;
  const given = invoices.map((invoice) => ({
    id: invoice.invoiceId,
    trader_id: invoice.traderId,
    provider_id: invoice.providerId,
    amount_units: invoice.amountUnits.toString(),
    commission_rate: invoice.commissionRate,
    split: invoice.split.map(({ recipientType, amountUnits }) => ({
      recipient_type: recipientType,
      units: amountUnits.toString(),
    })),
    due_at: invoice.dueAt,
  }));
  await sql`
    INSERT INTO invoice (id, trader_id, community_id, provider_id, exchange, amount_units, payment_address,
      commission_rate, split, due_at, created_at, updated_at, harvest_cycle_id)
    SELECT n.id, n.trader_id, p.community_id, n.provider_id, 'bybit', n.amount_units, p.proxy_address, n.commission_rate,
      n.split, n.due_at, ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${cycleId}::uuid
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS n (id uuid, trader_id uuid, provider_id uuid,
      amount_units numeric, commission_rate numeric, split jsonb, due_at timestamptz)
    CROSS JOIN pooled_account p WHERE p.id = ${poolId}`.execute(tx.sql);
}

/** The unpaid invoices of a cycle, by community, with their traders locked: the order of every change of invoices. */
export async function lockUnpaid(tx: WriteTx, cycleId: string): Promise<LedgerInvoice[]> {
  await lockTradersWhere(
    tx,
    sql`t.id IN (SELECT i.trader_id FROM invoice i WHERE i.harvest_cycle_id = ${cycleId} AND i.status = 'pending')`,
  );
  const { rows } = await sql<{
    id: string;
    trader_id: string;
    provider_id: string | null;
    units: string;
    split: { recipient_type: RecipientType; units: string }[];
  }>`
    SELECT i.id, i.trader_id, i.provider_id, i.amount_units::text AS units, i.split FROM invoice i
    WHERE i.harvest_cycle_id = ${cycleId} AND i.status = 'pending' ORDER BY i.id FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  return rows.map((row) => ({
    invoiceId: row.id,
    traderId: row.trader_id,
    providerId: row.provider_id,
    amountUnits: BigInt(row.units),
    offPlatformUnits: 0n,
    split: row.split.map((part) => ({ recipientType: part.recipient_type, amountUnits: BigInt(part.units) })),
  }));
}

export async function recordPaidByPool(tx: WriteTx, cycleId: string, at: Date): Promise<void> {
  await sql`
    UPDATE invoice SET status = 'paid', settled_by = 'pool', paid_units = amount_units, paid_at = ${at}, updated_at = ${at}
    WHERE harvest_cycle_id = ${cycleId} AND status = 'pending'`.execute(tx.sql);
}

/** The fees of a cycle that are not moved yet. */
export async function sumUnpaid(tx: Tx, cycleId: string): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(i.amount_units), 0)::text AS units FROM invoice i
    WHERE i.harvest_cycle_id = ${cycleId} AND i.status = 'pending'`.execute(tx.sql);
  return BigInt(rows[0]?.units ?? 0);
}
