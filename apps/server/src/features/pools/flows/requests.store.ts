import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

// For super admins and services with the scope of everything.

/** A member, with its virtual balance less reservations. */
export async function findMember(
  tx: WriteTx,
  poolId: string,
  memberId: string,
): Promise<{ traderId: string; availableUnits: bigint } | null> {
  const { rows } = await sql<{ trader_id: string; available: string }>`
    SELECT m.trader_id, coalesce((SELECT b.posted - b.pending FROM ledger_account a
      JOIN ledger_balance b ON b.account_id = a.id
      WHERE a.kind = 'pool_capital' AND a.owner_id = m.id AND a.asset = 'USDT'), 0)::text AS available
    FROM pool_member m WHERE m.id = ${memberId} AND m.pooled_account_id = ${poolId}`.execute(tx.sql);
  const [row] = rows;
  return row ? { traderId: row.trader_id, availableUnits: BigInt(row.available) } : null;
}

/** @returns its id; null when its key was used before */
export async function insertWithdrawal(
  tx: WriteTx,
  {
    poolId,
    memberId,
    units,
    requestKey,
  }: {
    poolId: string;
    memberId: string;
    units: bigint | null;
    requestKey: string | null;
  },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pool_withdrawal (pooled_account_id, member_id, amount_units, request_key, requested_by)
    VALUES (${poolId}, ${memberId}, ${units === null ? null : units.toString()}, ${requestKey}, ${tx.actor.name})
    ON CONFLICT (request_key) DO NOTHING RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

export async function findByKey(
  tx: WriteTx,
  requestKey: string,
): Promise<{ id: string; memberId: string; units: bigint | null } | null> {
  const { rows } = await sql<{ id: string; member_id: string; amount: string | null }>`
    SELECT w.id, w.member_id, w.amount_units::text AS amount FROM pool_withdrawal w
    WHERE w.request_key = ${requestKey}`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  return { id: row.id, memberId: row.member_id, units: row.amount === null ? null : BigInt(row.amount) };
}

/** The worker looks at an open pool soon, when it takes up requests. */
export async function wakeCycle(tx: WriteTx, cycleId: string): Promise<void> {
  await sql`UPDATE harvest_cycle SET look_at = now()
    WHERE id = ${cycleId} AND status = 'harvesting' AND step = 'open'`.execute(tx.sql);
}

export async function lockWithdrawal(
  tx: WriteTx,
  poolId: string,
  id: string,
): Promise<{ requestId: string; attempt: number; state: string; traderId: string } | null> {
  const { rows } = await sql<{ requestId: string; attempt: number; state: string; traderId: string }>`
    SELECT w.id AS "requestId", w.attempt, w.state, m.trader_id AS "traderId"
    FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id
    WHERE w.id = ${id} AND w.pooled_account_id = ${poolId} FOR NO KEY UPDATE OF w`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function noteCancelled(tx: WriteTx, id: string): Promise<void> {
  await sql`UPDATE pool_withdrawal SET state = 'cancelled', ended_at = now(), waits_because = NULL
    WHERE id = ${id} AND state = 'queued'`.execute(tx.sql);
}

export interface ReturnableDeposit {
  state: string;
  units: bigint;
  traderId: string;
  /** The wallet of the member's pool address; null: it cannot send. */
  walletId: string | null;
  toAddress: string | null;
  isHeld: boolean;
}

export async function lockDeposit(
  tx: WriteTx,
  poolId: string,
  id: string,
  { chainId, addressHoldHours }: { chainId: number; addressHoldHours: number },
): Promise<ReturnableDeposit | null> {
  const { rows } = await sql<Omit<ReturnableDeposit, 'units'> & { units: string }>`
    SELECT d.state, d.amount_units::text AS units, t.id AS "traderId", t.external_wallet_address AS "toAddress",
      (SELECT w.id FROM chain_wallet w WHERE w.owner_id = d.member_id AND w.role = 'pool_deposit'
        AND w.chain_id = ${chainId} AND w.frozen_because IS NULL) AS "walletId", EXISTS (
        SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader' AND h.owner_id = t.id::text
          AND h.released_at IS NULL AND h.changed_at > now() - make_interval(hours => ${addressHoldHours}::int))
        AS "isHeld"
    FROM pool_deposit d JOIN pool_member m ON m.id = d.member_id JOIN trader t ON t.id = m.trader_id
    WHERE d.id = ${id} AND d.pooled_account_id = ${poolId} FOR NO KEY UPDATE OF d`.execute(tx.sql);
  const [row] = rows;
  return row ? { ...row, units: BigInt(row.units) } : null;
}
