import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

export interface DueInvoice {
  id: string;
  trader_id: string;
  provider_id: string | null;
  amount_units: string;
  outstanding_units: string;
  off_platform_units: string;
  due_at: Date;
  /** `due_at` as the database writes it: a Date lacks microseconds, and the cursor would not advance. */
  due_text: string;
  payment_address: string;
}

/** The cursor over invoices: continues after this one. */
export type WalkedTo = Pick<DueInvoice, 'due_text' | 'id'>;

/** Open invoices due within a period, earliest first. */
export async function listDueInvoices(
  tx: WriteTx,
  { from, to, after, limit }: { from: Date; to: Date; after: WalkedTo | null; limit: number },
): Promise<DueInvoice[]> {
  const next = after
    ? sql`AND (i.due_at, i.id) > (${after.due_text}::timestamptz, ${after.id}::uuid)`
    : sql``;
  const { rows } = await sql<DueInvoice>`
    SELECT i.id, i.trader_id, i.provider_id, i.amount_units::text,
      (i.amount_units - i.paid_units)::text AS outstanding_units, i.off_platform_units::text,
      i.due_at, i.due_at::text AS due_text, i.payment_address
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.harvest_cycle_id IS NULL
      -- An order with a bot is no debt: it expires.
      AND i.invoice_type = 'regular' AND i.due_at > ${from} AND i.due_at <= ${to} ${next}
      AND i.amount_units > i.paid_units AND ${providerInScope(tx, 'i.provider_id')}
    ORDER BY i.due_at, i.id LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/**
 * The facts that already have a message. A separate query: joined to the invoices, a plan made while there were few
 * messages read all of them for each invoice (measured: not done in three minutes with 60,000).
 */
export async function listNotified(tx: WriteTx, dedupeKeys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ dedupe_key: string }>`
    SELECT m.dedupe_key FROM message m
    WHERE m.dedupe_key = ANY (${[...dedupeKeys]}::text[]) AND ${providerInScope(tx, 'm.provider_id')}`.execute(
    tx.sql,
  );
  return new Set(rows.map(({ dedupe_key }) => dedupe_key));
}

/**
 * Locks traders in the order of their ids, like every change of several traders. This comes before inserting messages,
 * which lock the keys of their traders: taking the locks in the other order could deadlock.
 */
export async function lockTradersToRemind(tx: WriteTx, traderIds: readonly string[]): Promise<void> {
  await sql`SELECT FROM trader t WHERE t.id = ANY (${[...new Set(traderIds)]}::uuid[]) AND ${traderInScope(tx, 't.id')}
    ORDER BY t.id FOR NO KEY UPDATE`.execute(tx.sql);
}

/** Suggests locked traders as delinquent unless they are or were suggested before. Returns the new suggestions. */
export async function suggestDelinquent(
  tx: WriteTx,
  traderIds: readonly string[],
  at: Date,
): Promise<string[]> {
  if (traderIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    UPDATE trader SET suggested_delinquent_at = ${at}
    WHERE id = ANY (${[...traderIds]}::uuid[]) AND suggested_delinquent_at IS NULL AND status <> 'delinquent'
      AND ${traderInScope(tx, 'trader.id')}
    RETURNING id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
