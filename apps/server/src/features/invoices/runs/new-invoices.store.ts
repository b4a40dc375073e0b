import type { DeductedInvoice, InvoicePlan } from '@copydesk/domain/invoices';
import type { LedgerInvoice } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { DueInvoice } from './due-positions.views.ts';

/** The data of a new invoice. */
export interface NewInvoice
  extends InvoicePlan,
    Pick<DeductedInvoice, 'used'>,
    Pick<LedgerInvoice, 'invoiceId' | 'traderId' | 'providerId' | 'offPlatformUnits'> {
  due: DueInvoice;
  paymentAddress: string;
}

/** Traders keep the address of their first invoice. */
export async function saveDepositAddresses(
  tx: WriteTx,
  addresses: readonly { traderId: string; address: string }[],
): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    UPDATE trader t SET deposit_address = n.address
    FROM unnest(${addresses.map(({ traderId }) => traderId)}::uuid[], ${addresses.map(({ address }) => address)}::text[])
      AS n (trader_id, address)
    WHERE t.id = n.trader_id AND t.deposit_address IS NULL`.execute(tx.sql);
}

/** Inserts the invoices and assigns each position to its own invoice permanently. */
export async function insertInvoices(
  tx: WriteTx,
  invoices: readonly NewInvoice[],
  { createdAt, runId }: { createdAt: Date; runId: string },
): Promise<void> {
  await sql`
    INSERT INTO invoice (id, trader_id, community_id, provider_id, exchange, amount_units, payment_address,
      commission_rate, split, due_at, invoicing_run_id, created_at, updated_at)
    SELECT n.id, n.trader_id, n.community_id, n.provider_id, n.exchange, n.amount_units, n.payment_address,
      n.commission_rate, n.split, n.due_at, ${runId}, ${createdAt}::timestamptz, ${createdAt}::timestamptz
    FROM json_to_recordset(${JSON.stringify(invoices.map(invoiceRow))}::json) AS n (id uuid, trader_id uuid,
      community_id uuid, provider_id uuid, exchange text, amount_units numeric, payment_address text,
      commission_rate numeric, split jsonb, due_at timestamptz)`.execute(tx.sql);
  await sql`
    UPDATE closed_position p SET invoice_id = n.invoice_id
    FROM unnest(${invoices.flatMap(({ due }) => due.positionIds)}::uuid[],
      ${invoices.flatMap(({ invoiceId, due }) => due.positionIds.map(() => invoiceId))}::uuid[])
      AS n (position_id, invoice_id)
    WHERE p.id = n.position_id`.execute(tx.sql);
}

function invoiceRow({ invoiceId, due, paymentAddress, ...plan }: NewInvoice) {
  return {
    id: invoiceId,
    trader_id: due.traderId,
    community_id: due.communityId,
    provider_id: due.providerId,
    exchange: due.exchange,
    amount_units: plan.amountUnits.toString(),
    payment_address: paymentAddress,
    commission_rate: plan.commissionRate,
    split: plan.split.map((part) => ({
      recipient_type: part.recipientType,
      units: part.amountUnits.toString(),
    })),
    due_at: plan.dueAt,
  };
}
