import { randomUUID } from 'node:crypto';
import { takeOpeningTurn } from '../../apps/server/src/features/invoices/books/openings/opening-turn.ts';
import {
  type BookedPayment,
  bookPayments,
} from '../../apps/server/src/features/invoices/payments/payments.service.ts';
import { beginInvoicing } from '../../apps/server/src/features/invoices/runs/invoicing.jobs.ts';
import { takeInvoicingTurn } from '../../apps/server/src/features/invoices/runs/invoicing-turn.ts';
import { createDepositAddresses } from '../../apps/server/src/integrations/chain/deposit-addresses.ts';
import { createPool } from '../../apps/server/src/platform/db/connection.ts';
import { createDatabase, type Database } from '../../apps/server/src/platform/db/database.ts';
import { retryConflicts } from '../../apps/server/src/platform/db/retry-conflicts.ts';
import { asOwner } from './owner.ts';
import { AUDIT_KEY, createTestApp } from './test-app.ts';

export const ALL = { kind: 'all' } as const;
export const WORKER = { kind: 'system', id: 'test-worker', name: 'Worker' } as const;
/** Of the mnemonic "test test test test test test test test test test test junk". */
export const ACCOUNT_KEY =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
export const ADDRESSES = createDepositAddresses(ACCOUNT_KEY);

export interface SmallTrader {
  id: string;
  providerId: string;
  communityId: string;
  accountId: string;
}

/** The demo world at a tenth, with everything due already invoiced, and traders that a test creates. */
export async function createInvoicingWorld(options: Parameters<typeof createTestApp>[0] = {}) {
  const product = await createTestApp({ scale: 0.05, ...options });
  const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    asOwner<R>(product.ownerUrl, text, values);
  const turnDeps = (db: Database = product.db) => ({
    db,
    log: product.log,
    now: () => new Date(),
    leaseMs: 60_000,
    addresses: ADDRESSES,
  });

  /**
   * Opens the books of all traders with imported payments.
   * @param found tokens at a deposit address beyond the books; by default more than was ever imported
   */
  async function openAllBooks(found: (address: string) => bigint = () => usdt(1e9)): Promise<void> {
    await owner(`INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
      VALUES (1, '0x' || repeat('0', 40), 0, '0x' || repeat('0', 64)) ON CONFLICT DO NOTHING`);
    const turn = {
      db: product.db,

      token: { chainId: 1, tokenAddress: `0x${'0'.repeat(40)}` },
      tokenBalances: async (addresses: readonly string[]) => addresses.map(found),
    };
    while (await takeOpeningTurn(turn)) {
      // until all are opened
    }
  }

  /** Starts a run over all traders and completes it. */
  async function invoice(): Promise<void> {
    await beginInvoicing(product.db);
    while (await takeInvoicingTurn(turnDeps())) {
      // until none is left
    }
  }

  await invoice();
  await openAllBooks();
  return {
    ...product,
    openAllBooks,
    owner,
    turnDeps,
    invoice,
    /** Another process over the same database. */
    async withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
      const pool = createPool({ url: product.ownerUrl, applicationName: 'test-other' });
      const db = createDatabase({ pool, auditKey: AUDIT_KEY, now: () => new Date() });
      return work(db).finally(() => db.close());
    },
    /** A trader with an account in a community, with its selected provider. */
    async addTrader(changes: Record<string, string | null> = {}): Promise<SmallTrader> {
      const [link] = await owner<{ community_id: string; provider_id: string }>(
        `SELECT l.community_id, l.provider_id FROM community_provider l JOIN community c ON c.id = l.community_id
         WHERE NOT c.is_archived ORDER BY c.name, l.provider_id LIMIT 1`,
      );
      const fields: Record<string, string | null> = {
        id: randomUUID(),
        community_id: link?.community_id ?? null,
        selected_provider_id: link?.provider_id ?? null,
        referral_code: randomUUID(),
        status: 'connected',
        reference_number: `T-${randomUUID().slice(0, 8)}`,
        telegram_user_id: String(Math.floor(Math.random() * 1e9)),
        ...changes,
      };
      await owner(
        `INSERT INTO trader (${Object.keys(fields)}) VALUES (${Object.keys(fields).map((_, n) => `$${n + 1}`)})`,
        Object.values(fields),
      );
      const providerId = fields.selected_provider_id ?? (link?.provider_id as string);
      const accountId = randomUUID();
      await owner(
        `INSERT INTO exchange_account (id, trader_id, provider_id, exchange, acc_uid, created_at)
         VALUES ($1::uuid, $2, $3, 'bybit', $4, now() - interval '30 days')`,
        [accountId, fields.id, providerId, accountId],
      );
      return {
        id: fields.id as string,
        providerId,
        communityId: fields.community_id as string,
        accountId,
      };
    },
    /** Closed positions of a trader, by their profit in USD. */
    async addPositions(trader: SmallTrader, ...pnls: string[]): Promise<void> {
      await owner(
        `INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, closed_pnl, closed_at)
         SELECT $1, $2, $3, gen_random_uuid(), 'BTCUSDT', 'long', pnl, now() - interval '1 hour'
         FROM unnest($4::numeric[]) pnl`,
        [trader.accountId, trader.id, trader.providerId, pnls],
      );
    },
    /** The trader's invoices, oldest first. */
    invoicesOf: (traderId: string) =>
      owner<InvoiceRow>(
        `SELECT i.*, i.amount_units::text AS amount, i.paid_units::text AS paid, i.commission_rate::text AS rate,
           (SELECT count(*)::int FROM closed_position c WHERE c.invoice_id = i.id) AS positions
         FROM invoice i WHERE i.trader_id = $1 ORDER BY i.created_at, i.id`,
        [traderId],
      ),
    /** Books a payment like the worker. */
    pay: (
      traderId: string,
      units: bigint,
      source: { type: string; id: string } = { type: 'deposit', id: randomUUID() },
      db: Database = product.db,
    ) =>
      retryConflicts(() =>
        db.write(ALL, WORKER, async (tx) => {
          const payment = {
            traderId,
            units,
            source,
            transactionHash: `0x${'a'.repeat(64)}`,
            receivedAt: new Date(),
          };
          const [booked] = await bookPayments(tx, [payment]);
          return booked as BookedPayment;
        }),
      ),
  };
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

/** Base units of a whole number of USDT. */
export const usdt = (whole: number): bigint => BigInt(whole) * 10n ** 18n;

/** Checks the invariants of invoices, books and payables, without the code under test. */
export async function findUnsound({ owner }: Pick<InvoicingWorld, 'owner'>) {
  const [row] = await owner<Record<string, string>>(`SELECT
    (SELECT coalesce(sum(amount), 0)::text FROM posting) AS postings,
    (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted < 0) AS overdrawn,
    (SELECT count(*)::text FROM invoice i WHERE i.amount_units <>
      (SELECT sum((p ->> 'units')::numeric) FROM jsonb_array_elements(i.split) p)) AS unlike_split,
    -- A new invoice has its journal, and what is receivable of it is what was not paid.
    (SELECT count(*)::text FROM invoice i
      JOIN ledger_account a ON a.owner_id = i.id AND a.kind = 'receivable' JOIN ledger_balance b ON b.account_id = a.id
      WHERE b.posted <> CASE WHEN i.status = 'pending' THEN i.amount_units - i.paid_units ELSE 0 END) AS unlike_books,
    (SELECT count(*)::text FROM invoice i JOIN audit_entry e ON e.target_id = i.id::text
      AND e.action = 'invoice.created' WHERE NOT EXISTS (SELECT FROM journal j
        WHERE j.source_type = 'invoice' AND j.source_id = i.id::text)) AS without_books,
    (SELECT count(*)::text FROM (SELECT invoice_id, count(*) FROM payable WHERE recipient_type <> 'tip'
      GROUP BY invoice_id, recipient_type HAVING count(*) > 1) d) AS paid_out_twice,
    (SELECT count(*)::text FROM payment p WHERE p.amount_units - p.open_units <>
      (SELECT coalesce(sum(m.amount_units), 0) FROM invoice_payment m WHERE m.payment_id = p.id)) AS unlike_payments,
    (SELECT count(*)::text FROM closed_position c JOIN invoice i ON i.id = c.invoice_id
      WHERE c.trader_id <> i.trader_id) AS strangers`);
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== '0'));
}
