import { createPool } from '../../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, type Database } from '../../../apps/server/src/platform/db/database.ts';
import { AUDIT_KEY, createTestApp, type TestAppOptions } from '../test-app.ts';
import { addAccount, addPositions } from './accounts.ts';
import { addInvoices, addPayables } from './invoices.ts';
import { bookPayment, invoicingDeps, openBooks, RICH, runInvoicing } from './invoicing.ts';
import { ownerOf } from './rows.ts';
import { addTrader, type SmallTrader } from './traders.ts';

/** The demo world at a tenth, with everything due already invoiced, and traders that a test creates. */
export async function createInvoicingWorld(options: TestAppOptions = {}) {
  const product = await createTestApp({ scale: 0.05, ...options });
  const owner = ownerOf(product.ownerUrl);
  const world = {
    ...product,
    owner,
    addTrader: (changes?: Record<string, string | null>) => addTrader(owner, changes),
    addAccount: (trader: { id: string; providerId: string }, changes?: Record<string, unknown>) =>
      addAccount(owner, trader, changes),
    addPositions: (account: Omit<SmallTrader, 'communityId'>, ...pnls: (string | null)[]) =>
      addPositions(owner, account, ...pnls),
    addInvoices: (traderId: string, changes?: Parameters<typeof addInvoices>[2]) =>
      addInvoices(owner, traderId, changes),
    addPayables: (invoiceIds: readonly string[], recipientAddress?: string) =>
      addPayables(owner, invoiceIds, recipientAddress),
    /** What a worker, over its own connections if given, needs to take turns of invoicing. */
    turnDeps: (db: Database = product.db) => invoicingDeps(product, db),
    invoice: () => runInvoicing(product),
    /** @param found tokens at a deposit address beyond the books; by default more than was ever imported */
    openAllBooks: (found: (address: string) => bigint = RICH) => openBooks(product, owner, found),
    /** Books a payment like the worker. */
    pay: (
      traderId: string,
      units: bigint,
      source?: { type: string; id: string },
      db: Database = product.db,
    ) => bookPayment(db, traderId, units, source),
    /** Another process over the same database. */
    async withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
      const pool = createPool({ url: product.ownerUrl, applicationName: 'test-other' });
      const db = createDatabase({ pool, auditKey: AUDIT_KEY, now: () => new Date() });
      return work(db).finally(() => db.close());
    },
    /** The trader's invoices, oldest first. */
    invoicesOf: (traderId: string) =>
      owner<InvoiceRow>(
        `SELECT i.*, i.amount_units::text AS amount, i.paid_units::text AS paid, i.commission_rate::text AS rate,
           (SELECT count(*)::int FROM closed_position c WHERE c.invoice_id = i.id) AS positions
         FROM invoice i WHERE i.trader_id = $1 ORDER BY i.created_at, i.id`,
        [traderId],
      ),
  };
  await world.invoice();
  await world.openAllBooks();
  return world;
}
export type InvoicingWorld = Awaited<ReturnType<typeof createInvoicingWorld>>;

interface InvoiceRow extends Record<string, unknown> {
  id: string;
  status: 'pending' | 'paid' | 'cancelled';
  settled_by: string | null;
  provider_id: string | null;
  exchange: string | null;
  payment_address: string;
  split: { recipient_type: string; units: string }[];
  due_at: Date;
  created_at: Date;
  is_archived: boolean;
  /** Base units. */
  amount: string;
  paid: string;
  rate: string;
  positions: number;
}
