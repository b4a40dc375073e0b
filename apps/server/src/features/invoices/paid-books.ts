import {
  depositReceived,
  invoiceIssued,
  invoicePaid,
  type JournalDraft,
  type LedgerInvoice,
  type LedgerSource,
  type RecipientType,
} from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import type { Books } from './invoice-deps.ts';

/** An invoice that was paid on chain before it was imported. */
interface PaidElsewhere extends LedgerInvoice {
  /** What came in for it before; later tips are in the books already. */
  paidUnits: bigint;
}

/**
 * Opens the books of those of these invoices that were imported as paid on chain: what came in, and who is owed what
 * of it, as their rows say. Of the others nothing changes.
 */
export async function openPaidBooks(
  tx: WriteTx,
  books: Pick<Books, 'post'>,
  invoiceIds: readonly string[],
): Promise<void> {
  const invoices = await listWithoutBooks(tx, invoiceIds);
  if (invoices.length === 0) return;
  await books.post(
    tx,
    invoices.flatMap(openingOf).map((draft) => ({ draft })),
  );
}

function openingOf(invoice: PaidElsewhere): JournalDraft[] {
  const { invoiceId, traderId, paidUnits: units } = invoice;
  const source: LedgerSource = { type: 'opening', id: invoiceId };
  return [
    invoiceIssued(invoice),
    depositReceived(traderId, units, source),
    invoicePaid(invoice, { paidUnits: 0n, units, source }),
  ];
}

interface Row {
  id: string;
  trader_id: string;
  provider_id: string | null;
  amount: string;
  paid: string;
  split: { recipient_type: RecipientType; units: string }[];
}

async function listWithoutBooks(tx: Tx, invoiceIds: readonly string[]): Promise<PaidElsewhere[]> {
  const { rows } = await sql<Row>`
    SELECT i.id, i.trader_id, i.provider_id, i.amount_units::text AS amount, i.split,
      (i.paid_units - coalesce((SELECT sum(m.amount_units) FROM invoice_payment m WHERE m.invoice_id = i.id), 0))::text
        AS paid
    FROM invoice i
    WHERE i.id = ANY (${[...invoiceIds]}::uuid[]) AND i.status = 'paid' AND i.settled_by = 'chain'
      AND ${providerInScope(tx, 'i.provider_id')}
      AND NOT EXISTS (SELECT FROM journal j WHERE j.source_type = 'invoice' AND j.source_id = i.id::text
        AND j.kind = 'invoice_issued')
    ORDER BY i.id`.execute(tx.sql);
  const invoices = rows.map((row) => ({
    invoiceId: row.id,
    traderId: row.trader_id,
    providerId: row.provider_id,
    amountUnits: BigInt(row.amount),
    split: row.split.map((part) => ({ recipientType: part.recipient_type, amountUnits: BigInt(part.units) })),
    paidUnits: BigInt(row.paid),
  }));
  // Nothing is owed to anybody of what never came in.
  return invoices.filter(({ paidUnits }) => paidUnits > 0n);
}
