import { postJournals } from './core/ledger/ledger.service.ts';
import { takeBackAll } from './core/ledger/reversals.service.ts';
import type { InvoiceDeps } from './features/invoices/invoice-deps.ts';
import { withdrawMessages } from './features/messages/messages.store.ts';
import { queueMessages } from './features/messages/queue-messages.service.ts';

/** What invoices are made with: the ledger, and messages to traders. */
export const INVOICE_PARTS: InvoiceDeps = {
  books: { post: postJournals, takeBack: takeBackAll },
  tell: queueMessages,
  withdrawMessages: withdrawMessages,
};
