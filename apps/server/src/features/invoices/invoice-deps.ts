import type { JournalDraft, MessageKind } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';

/** The ledger, as far as invoices write it. */
export interface Books {
  /** Posts journals together, each once for its source. */
  post(
    tx: WriteTx,
    journals: readonly { draft: JournalDraft }[],
  ): Promise<readonly { id: string; isNew: boolean }[]>;
  /** Takes journals back by such that mirror them. */
  takeBack(tx: WriteTx, journalIds: readonly string[]): Promise<unknown>;
}

/** What a trader is to be told. */
export interface InvoiceNotice {
  kind: MessageKind;
  traderId: string;
  providerId: string | null;
  invoiceId: string | null;
  /** The same fact is told once. */
  dedupeKey: string;
  facts: {
    /** Of the invoice, or of all that it is about. */
    amountUnits: bigint;
    outstandingUnits: bigint;
    /** What of it was settled elsewhere. */
    offPlatformUnits: bigint;
    invoiceCount: number;
    dueAt: Date | null;
    paymentAddress: string | null;
  };
  /** Sent no earlier than so much later: until then it can be withdrawn. */
  delayMs?: number;
}

/** What invoices need of other features; the composition roots put it together. */
export interface InvoiceDeps {
  books: Books;
  /** Queues messages within the caller's transaction. */
  tell(tx: WriteTx, notices: readonly InvoiceNotice[]): Promise<unknown>;
  /** Takes messages back that nobody has begun to send, by the `dedupeKey` of what they tell. */
  withdrawMessages(tx: WriteTx, dedupeKeys: readonly string[]): Promise<unknown>;
}
