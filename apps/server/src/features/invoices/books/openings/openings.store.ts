import type { RecipientType } from '@copydesk/domain/catalogue';
import type { ImportedInvoice, Opening } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { lockTraders } from '../../../../core/traders/lock-traders.store.ts';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** A trader whose imported payments have not been compared with the chain yet. */
export interface UnopenedTrader {
  id: string;
  /** null: it never had an address, so it cannot hold tokens. */
  depositAddress: string | null;
  /** Tokens at its deposit address according to the books, base units. */
  bookedUnits: bigint;
}

/**
 * The last block with booked deposits, and the next traders to open. One statement, so both come from the same
 * snapshot.
 */
export async function listUnopened(
  tx: Tx,
  { chainId, tokenAddress }: { chainId: number; tokenAddress: string },
  limit: number,
): Promise<{ block: { hash: `0x${string}` }; traders: UnopenedTrader[] } | null> {
  const { rows } = await sql<{
    block_hash: `0x${string}`;
    traders: { id: string; address: string | null; booked: string }[];
  }>`
    SELECT r.block_hash, (SELECT coalesce(json_agg(t), '[]') FROM (
      SELECT t.id, t.deposit_address AS address, ${bookedUnits} AS booked FROM trader t
      WHERE t.books_opened_at IS NULL ORDER BY t.id LIMIT ${limit}) t) AS traders
    FROM chain_cursor r WHERE r.chain_id = ${chainId} AND r.token_address = ${tokenAddress}`.execute(tx.sql);
  const [row] = rows;
  return row
    ? {
        block: { hash: row.block_hash },
        traders: row.traders.map(({ id, address, booked }) => ({
          id,
          depositAddress: address,
          bookedUnits: BigInt(booked),
        })),
      }
    : null;
}

const bookedUnits = sql`coalesce((SELECT b.posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
  WHERE a.kind = 'deposit_wallet' AND a.asset = 'USDT' AND a.owner_id = t.id), 0)::text`;

/**
 * Locks these traders in the order of their ids. Returns those that still need an opening, with their present balances
 * in the books.
 */
export async function lockUnopened(tx: WriteTx, ids: readonly string[]): Promise<Map<string, bigint>> {
  await lockTraders(tx, ids);
  const { rows } = await sql<{ id: string; booked: string }>`
    SELECT t.id, ${bookedUnits} AS booked FROM trader t
    WHERE t.id = ANY (${[...ids]}::uuid[]) AND t.books_opened_at IS NULL`.execute(tx.sql);
  return new Map(rows.map(({ id, booked }) => [id, BigInt(booked)]));
}

interface Row {
  id: string;
  trader_id: string;
  community_id: string;
  provider_id: string | null;
  status: ImportedInvoice['status'];
  amount: string;
  paid: string;
  owed: string;
  split: { recipient_type: RecipientType; units: string }[];
  paid_out: { recipient_type: RecipientType; units: string }[];
}

/**
 * Imported invoices of these traders that were paid in part or have shares still owed, oldest first. Shares of a failed
 * imported payout are owed again. Shares of other imported payouts count as paid because the location of their tokens
 * is unknown.
 */
export async function listImported(tx: Tx, traderIds: readonly string[]): Promise<ImportedInvoice[]> {
  const { rows } = await sql<Row>`
    SELECT i.id, i.trader_id, i.community_id, i.provider_id, i.status, i.amount_units::text AS amount, i.split,
      (i.paid_units - coalesce((SELECT sum(m.amount_units) FROM invoice_payment m WHERE m.invoice_id = i.id), 0))::text
        AS paid, coalesce(share.owed, 0)::text AS owed, coalesce(share.paid_out, '[]') AS paid_out
    FROM invoice i
    LEFT JOIN LATERAL (
      SELECT sum(s.owed) AS owed, json_agg(json_build_object('recipient_type', s.recipient_type, 'units', s.gone::text))
          FILTER (WHERE s.gone > 0) AS paid_out
      FROM (
        SELECT y.recipient_type, coalesce(sum(y.amount_units) FILTER (WHERE ${isOwed}), 0) AS owed,
          coalesce(sum(y.amount_units) FILTER (WHERE NOT ${isOwed}), 0) AS gone
        FROM payable y LEFT JOIN payout o ON o.id = y.payout_id
        WHERE y.invoice_id = i.id AND y.payment_id IS NULL AND y.settled_at IS NULL
        GROUP BY y.recipient_type) s) share ON i.status = 'paid'
    WHERE i.trader_id = ANY (${[...traderIds]}::uuid[]) AND i.paid_units > 0
      AND (i.status = 'pending' OR (i.status = 'paid' AND i.settled_by = 'chain' AND share.owed > 0))
      AND NOT EXISTS (SELECT FROM journal j WHERE j.source_type = 'invoice' AND j.source_id = i.id::text
        AND j.kind = 'invoice_issued')
    ORDER BY i.created_at, i.id`.execute(tx.sql);
  return rows
    .map((row) => ({
      invoiceId: row.id,
      traderId: row.trader_id,
      communityId: row.community_id,
      providerId: row.provider_id,
      status: row.status,
      amountUnits: BigInt(row.amount),
      paidUnits: BigInt(row.paid),
      owedUnits: BigInt(row.owed),
      split: row.split.map((part) => ({
        recipientType: part.recipient_type,
        amountUnits: BigInt(part.units),
      })),
      paidOut: row.paid_out.map((part) => ({
        recipientType: part.recipient_type,
        units: BigInt(part.units),
      })),
    }))
    .filter(({ paidUnits }) => paidUnits > 0n);
}

const isOwed = sql`(y.paid_at IS NULL AND (o.id IS NULL OR (o.distribution_id IS NULL AND o.status = 'failed')))`;

/** Records the parts of these invoices settled off-platform, and removes their unpaid shares from the amount owed. */
export async function saveOffPlatform(
  tx: WriteTx,
  openings: readonly Opening[],
  reason: 'not_on_chain' | 'settled_before_check',
): Promise<void> {
  const missing = openings.filter(({ offPlatformUnits }) => offPlatformUnits > 0n);
  if (missing.length === 0) return;
  await sql`
    UPDATE invoice i SET off_platform_units = n.units, off_platform_reason = ${reason}, updated_at = now()
    FROM unnest(${missing.map(({ invoice }) => invoice.invoiceId)}::uuid[],
      ${missing.map(({ offPlatformUnits }) => offPlatformUnits.toString())}::numeric[]) AS n (id, units)
    WHERE i.id = n.id`.execute(tx.sql);
  const paid = missing.filter(({ invoice }) => invoice.status === 'paid');
  await sql`
    UPDATE payable y SET settled_at = now(), payout_id = NULL
    WHERE y.invoice_id = ANY (${paid.map(({ invoice }) => invoice.invoiceId)}::uuid[]) AND y.payment_id IS NULL
      AND y.paid_at IS NULL AND (y.payout_id IS NULL OR EXISTS (SELECT FROM payout o
        WHERE o.id = y.payout_id AND o.distribution_id IS NULL AND o.status = 'failed'))`.execute(tx.sql);
}

export async function recordOpened(tx: WriteTx, traderIds: readonly string[]): Promise<void> {
  await sql`UPDATE trader t SET books_opened_at = now()
    WHERE t.id = ANY (${[...traderIds]}::uuid[])`.execute(tx.sql);
}
