import { randomUUID } from 'node:crypto';
import { insertRow, type Owner } from './rows.ts';

export interface SplitPart {
  recipient_type: string;
  /** Base units. */
  units: string;
}

interface InvoiceFields extends Record<string, unknown> {
  amount_units?: bigint | string;
  split?: readonly SplitPart[];
}

/**
 * Invoices of a trader that no run issued, like imported ones: no positions, and nothing in the ledger. Those of the
 * trader's community and selected provider, unless changed.
 */
export async function addInvoices(
  owner: Owner,
  traderId: string,
  { count = 1, ...changes }: InvoiceFields & { count?: number } = {},
): Promise<string[]> {
  const { amount_units = 1n, split = [{ recipient_type: 'mark', units: String(amount_units) }] } = changes;
  const fields: Record<string, unknown> = {
    payment_address: `0x${'c'.repeat(40)}`,
    commission_rate: '0.5',
    due_at: new Date(),
    ...changes,
    amount_units,
    split: JSON.stringify(split),
  };
  const { provider_id, ...given } = fields;
  const names = Object.keys(given);
  const rows = await owner<{ id: string }>(
    `INSERT INTO invoice (trader_id, community_id, provider_id, ${names})
     SELECT t.id, t.community_id, CASE WHEN $3 THEN $4::uuid ELSE t.selected_provider_id END,
       ${names.map((_, n) => `$${n + 5}`)}
     FROM trader t, generate_series(1, $2) WHERE t.id = $1 RETURNING id`,
    [traderId, count, provider_id !== undefined, provider_id ?? null, ...Object.values(given)],
  );
  return rows.map(({ id }) => id);
}

/** Further columns of an invoice that was paid in full on chain. */
export const paidOnChain = (amountUnits: bigint) => ({
  amount_units: amountUnits,
  paid_units: amountUnits,
  status: 'paid',
  settled_by: 'chain',
  paid_at: new Date(),
});

/** What these invoices owe to the recipients of their splits. */
export async function addPayables(
  owner: Owner,
  invoiceIds: readonly string[],
  recipientAddress: string | null = null,
): Promise<string[]> {
  const rows = await owner<{ id: string }>(
    `INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units)
     SELECT i.id, i.community_id, i.provider_id, p ->> 'recipient_type', $2, (p ->> 'units')::numeric
     FROM invoice i CROSS JOIN jsonb_array_elements(i.split) p WHERE i.id = ANY ($1) RETURNING id`,
    [invoiceIds, recipientAddress],
  );
  return rows.map(({ id }) => id);
}

/** A payment that was imported with an invoice which it paid, without an entry in the ledger. */
export async function addInvoicePayment(
  owner: Owner,
  invoiceId: string,
  { units, transactionHash = null, receivedAt = new Date() }: InvoicePayment,
): Promise<void> {
  const [invoice] = await owner<{ trader_id: string; provider_id: string | null }>(
    'SELECT trader_id, provider_id FROM invoice WHERE id = $1',
    [invoiceId],
  );
  const paymentId = await insertRow(owner, 'payment', {
    trader_id: invoice?.trader_id,
    source_type: 'test',
    source_id: randomUUID(),
    amount_units: units,
    open_units: 0,
    received_at: receivedAt,
  });
  await owner(
    `INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, transaction_hash, amount_units, received_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [paymentId, invoiceId, invoice?.provider_id, transactionHash, units, receivedAt],
  );
}

interface InvoicePayment {
  units: bigint | string;
  transactionHash?: string | null;
  receivedAt?: Date | string;
}
