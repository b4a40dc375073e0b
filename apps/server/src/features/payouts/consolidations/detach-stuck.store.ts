import type { RecipientType } from '@copydesk/domain/catalogue';
import { MOVED_NOTHING, PAYOUT_MOVES } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/**
 * A consolidation that needs manual action to go on: it ended without moving anything, or its deposit address is
 * frozen.
 */
const isStuck = sql`(c.state = ANY (${[...MOVED_NOTHING]}::text[]) OR (c.state <> 'final' AND EXISTS (
  SELECT FROM chain_wallet w WHERE w.id = c.wallet_id AND w.frozen_because IS NOT NULL)))`;

/** Starts from the few frozen wallets, because the number of failed consolidations keeps growing. */
const ofFrozenAddresses = sql`c.state IN ('planned', 'sent') AND c.wallet_id IN (
  SELECT w.id FROM chain_wallet w WHERE w.frozen_because IS NOT NULL)`;

const isWaiting = sql`o.status = ANY (${[...PAYOUT_MOVES.deposits_failed.from]}::text[]) AND o.distribution_id IS NOT NULL`;

/**
 * Payouts blocked only by stuck consolidations, by community. Excludes payouts whose shares are all stuck, because
 * nothing else in them can be paid.
 * @param chosen a condition over `transfer c`; by default those of frozen deposit addresses
 */
export async function listWaitingForStuck(
  tx: Tx,
  chosen: RawBuilder<unknown> = ofFrozenAddresses,
): Promise<{ id: string; communityId: string }[]> {
  const { rows } = await sql<{ id: string; communityId: string }>`
    SELECT o.id, o.community_id AS "communityId"
    FROM payout o
    WHERE ${isWaiting} AND o.id IN (
        SELECT y.payout_id FROM transfer c JOIN payable y ON y.consolidation_id = c.id
        WHERE c.kind = 'consolidate' AND ${isStuck} AND ${chosen})
      AND EXISTS (
        SELECT FROM payable y LEFT JOIN transfer c ON c.id = y.consolidation_id
        WHERE y.payout_id = o.id AND NOT coalesce(${isStuck}, false))
    ORDER BY o.id`.execute(tx.sql);
  return rows;
}

/** Transfers of these consolidations, as a condition for `listWaitingForStuck`. */
export const ofConsolidations = (ids: readonly string[]) => sql`c.id = ANY (${[...ids]}::uuid[])`;

/** A planned transfer of a payout to its recipient. */
export interface PlannedPayment {
  payoutId: string;
  units: bigint;
  chainId: number;
  token: string;
}

/** Locks the planned transfers of these payouts to their recipients, so none is signed meanwhile. */
export async function lockPlannedPayments(
  tx: WriteTx,
  payoutIds: readonly string[],
): Promise<PlannedPayment[]> {
  const { rows } = await sql<{ payout_id: string; units: string; chain_id: number; token_address: string }>`
    SELECT i.payout_id, i.amount_units::text AS units, w.chain_id, i.token_address
    FROM transfer i JOIN chain_wallet w ON w.id = i.wallet_id
    WHERE i.payout_id = ANY (${[...payoutIds]}::uuid[]) AND i.state = 'planned'
    ORDER BY i.id FOR NO KEY UPDATE OF i`.execute(tx.sql);
  return rows.map((row) => ({
    payoutId: row.payout_id,
    units: BigInt(row.units),
    chainId: row.chain_id,
    token: row.token_address,
  }));
}

/** Stuck shares of one payout in one account of an invoice. Their reservation covers the whole account. */
export interface StuckShares {
  payoutId: string;
  invoiceId: string;
  recipientType: RecipientType;
  units: bigint;
  payableIds: string[];
}

export async function listStuckShares(tx: WriteTx, payoutIds: readonly string[]): Promise<StuckShares[]> {
  const { rows } = await sql<{
    payout_id: string;
    invoice_id: string;
    recipient_type: RecipientType;
    units: string;
    payable_ids: string[];
  }>`
    SELECT y.payout_id, y.invoice_id, y.recipient_type, sum(y.amount_units)::text AS units,
      array_agg(y.id) AS payable_ids
    FROM payable y LEFT JOIN transfer c ON c.id = y.consolidation_id
    WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[])
    GROUP BY y.payout_id, y.invoice_id, y.recipient_type
    HAVING bool_or(coalesce(${isStuck}, false))`.execute(tx.sql);
  return rows.map((row) => ({
    payoutId: row.payout_id,
    invoiceId: row.invoice_id,
    recipientType: row.recipient_type,
    units: BigInt(row.units),
    payableIds: row.payable_ids,
  }));
}

/** Open reservations for these shares. */
export async function listReservationsOf(tx: WriteTx, shares: readonly StuckShares[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id
    FROM unnest(${shares.map(({ payoutId }) => payoutId)}::text[],
      ${shares.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${shares.map(({ recipientType }) => recipientType)}::text[]) AS n (payout_id, invoice_id, recipient_type)
    JOIN ledger_account a ON a.owner_id = n.invoice_id AND a.kind = 'payable_' || n.recipient_type
    JOIN ledger_reservation r ON r.account_id = a.id AND r.source_type = 'payout'
      AND r.source_id = n.payout_id
    WHERE NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id)`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
