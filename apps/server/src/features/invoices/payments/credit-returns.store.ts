import { MOVED_NOTHING } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import { isHeldChange } from '../../../core/transfers/addresses/held.views.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** What the return of a payment's credit depends on, besides the credit. */
export interface ReturnFacts {
  toAddress: string | null;
  isHeld: boolean;
  /** The deposit that the payment was booked for is on record. */
  isOnChain: boolean;
}

/** The community that the trader of a payment is in. */
export async function findCommunityOf(tx: Tx, paymentId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.community_id AS id FROM payment p JOIN trader t ON t.id = p.trader_id
    WHERE p.id = ${paymentId}`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

export async function findReturnFacts(tx: Tx, paymentId: string, holdHours: number): Promise<ReturnFacts> {
  const { rows } = await sql<ReturnFacts>`
    SELECT t.external_wallet_address AS "toAddress", EXISTS (
        SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader' AND h.owner_id = t.id::text
          AND ${isHeldChange('h', holdHours)}) AS "isHeld", EXISTS (
        SELECT FROM deposit d WHERE d.payment_id = p.id AND d.trader_id = p.trader_id
          AND d.amount_units = p.amount_units) AS "isOnChain"
    FROM payment p JOIN trader t ON t.id = p.trader_id WHERE p.id = ${paymentId}`.execute(tx.sql);
  return rows[0] as ReturnFacts;
}

/** What was being sent back, by transfer. Units are base units of USDT. */
export interface CreditReturn {
  transferId: string;
  traderId: string;
  units: bigint;
}

export async function listReturns(tx: Tx, transferIds: readonly string[]): Promise<CreditReturn[]> {
  const { rows } = await sql<Omit<CreditReturn, 'units'> & { units: string }>`
    SELECT c.transfer_id AS "transferId", p.trader_id AS "traderId", c.amount_units::text AS units
    FROM credit_return c JOIN payment p ON p.id = c.payment_id
    WHERE c.transfer_id = ANY (${[...transferIds]}::uuid[])`.execute(tx.sql);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export async function recordSent(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`UPDATE credit_return SET state = 'sent', ended_at = now()
    WHERE transfer_id = ANY (${[...transferIds]}::uuid[]) AND state = 'sending'`.execute(tx.sql);
}

/** What these transfers did not move is credit again. @returns what was being sent until now */
export async function recordUndone(
  tx: WriteTx,
  transferIds: readonly string[],
): Promise<Pick<CreditReturn, 'transferId' | 'traderId'>[]> {
  const { rows } = await sql<Pick<CreditReturn, 'transferId' | 'traderId'>>`
    WITH undone AS (
      UPDATE credit_return SET state = 'undone', ended_at = now()
      WHERE transfer_id = ANY (${[...transferIds]}::uuid[]) AND state = 'sending'
      RETURNING transfer_id, payment_id, amount_units),
    opened AS (
      UPDATE payment p SET open_units = p.open_units + u.units
      FROM (SELECT payment_id, sum(amount_units) AS units FROM undone GROUP BY 1) u
      WHERE p.id = u.payment_id RETURNING p.id, p.trader_id)
    SELECT u.transfer_id AS "transferId", o.trader_id AS "traderId"
    FROM undone u JOIN opened o ON o.id = u.payment_id`.execute(tx.sql);
  return rows;
}

const hasMovedNothing = sql`i.state = ANY (${[...MOVED_NOTHING]}::text[])`;

/**
 * Returns that still count as being sent although their transfer ended without moving anything, or that were ordered a
 * day ago or earlier and that nothing signs: a limit was tightened since, or their wallet is frozen. Those that wait for
 * gas go on.
 */
export async function listUnsent(tx: Tx): Promise<{ id: string; communityId: string }[]> {
  const { rows } = await sql<{ id: string; communityId: string }>`
    SELECT i.id, i.community_id AS "communityId" FROM credit_return c
    JOIN transfer i ON i.id = c.transfer_id JOIN chain_wallet w ON w.id = i.wallet_id
    WHERE c.state = 'sending' AND (${hasMovedNothing}
      OR i.state = 'planned' AND c.created_at < now() - interval '1 day'
        AND (w.frozen_because IS NOT NULL OR i.problem <> 'waits_for_gas'))`.execute(tx.sql);
  return rows;
}

/** Those of these transfers that ended without moving anything. */
export async function listUnmoved(tx: Tx, transferIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id FROM transfer i
    WHERE i.id = ANY (${[...transferIds]}::uuid[]) AND ${hasMovedNothing}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
