import {
  consolidated,
  depositReceived,
  distributed,
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

/** Once for each invoice, and of thousands at once: a quarter of a millisecond a posting is more than a statement may take. */
const OPENING_TIMEOUT_MS = 120_000;

/** An invoice that was paid on chain before it was imported. */
interface PaidElsewhere extends LedgerInvoice {
  communityId: string;
  /** What came in for it before; later tips are in the books already. */
  paidUnits: bigint;
  /** Shares that their recipients have had before. */
  paidOut: { recipientType: RecipientType; units: bigint }[];
}

/**
 * Opens the books of those of these invoices that were imported as paid on chain: what came in, who is owed what of it,
 * and what of that has gone out already, as their rows say. Of the others nothing changes.
 * @throws LedgerError `overdrawn` when more has gone out of one than was owed
 */
export async function openPaidBooks(
  tx: WriteTx,
  books: Pick<Books, 'post'>,
  invoiceIds: readonly string[],
): Promise<void> {
  const drafts = (await listWithoutBooks(tx, invoiceIds)).flatMap(openingOf);
  if (drafts.length === 0) return;
  await sql`SELECT set_config('statement_timeout', ${`${OPENING_TIMEOUT_MS}`}, true)`.execute(tx.sql);
  // All in one: in parts, what the database planned for the first and few rows would be slow for the last.
  await books.post(
    tx,
    drafts.map((draft) => ({ draft })),
  );
}

function openingOf(invoice: PaidElsewhere): JournalDraft[] {
  const { invoiceId, traderId, communityId, providerId, paidUnits: units, paidOut } = invoice;
  const source: LedgerSource = { type: 'opening', id: invoiceId };
  const gone = paidOut.reduce((sum, share) => sum + share.units, 0n);
  return [
    invoiceIssued(invoice),
    depositReceived(traderId, units, source),
    invoicePaid(invoice, { paidUnits: 0n, units, source }),
    ...(gone > 0n
      ? [
          consolidated(communityId, [{ traderId, units: gone }], source),
          distributed(
            communityId,
            paidOut.map((share) => ({ invoiceId, providerId, ...share })),
            source,
          ),
        ]
      : []),
  ];
}

interface Row {
  id: string;
  trader_id: string;
  community_id: string;
  provider_id: string | null;
  amount: string;
  paid: string;
  split: { recipient_type: RecipientType; units: string }[];
  paid_out: { recipient_type: RecipientType; units: string }[];
}

async function listWithoutBooks(tx: Tx, invoiceIds: readonly string[]): Promise<PaidElsewhere[]> {
  const { rows } = await sql<Row>`
    SELECT i.id, i.trader_id, i.community_id, i.provider_id, i.amount_units::text AS amount, i.split,
      (i.paid_units - coalesce((SELECT sum(m.amount_units) FROM invoice_payment m WHERE m.invoice_id = i.id), 0))::text
        AS paid,
      (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT y.recipient_type, sum(y.amount_units)::text AS units FROM payable y
        WHERE y.invoice_id = i.id AND y.paid_at IS NOT NULL GROUP BY y.recipient_type) s) AS paid_out
    FROM invoice i
    WHERE i.id = ANY (${[...invoiceIds]}::uuid[]) AND i.status = 'paid' AND i.settled_by = 'chain'
      AND ${providerInScope(tx, 'i.provider_id')}
      AND NOT EXISTS (SELECT FROM journal j WHERE j.source_type = 'invoice' AND j.source_id = i.id::text
        AND j.kind = 'invoice_issued')
    ORDER BY i.id`.execute(tx.sql);
  const invoices = rows.map((row) => ({
    invoiceId: row.id,
    traderId: row.trader_id,
    communityId: row.community_id,
    providerId: row.provider_id,
    amountUnits: BigInt(row.amount),
    split: row.split.map((part) => ({ recipientType: part.recipient_type, amountUnits: BigInt(part.units) })),
    paidUnits: BigInt(row.paid),
    paidOut: row.paid_out.map((part) => ({ recipientType: part.recipient_type, units: BigInt(part.units) })),
  }));
  // Nothing is owed to anybody of what never came in.
  return invoices.filter(({ paidUnits }) => paidUnits > 0n);
}
