import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For super admins and the worker, who see every row.

/** The queued deposits of a member, which one transfer collects. */
export interface Collectable {
  memberId: string;
  walletId: string;
  units: bigint;
  depositIds: string[];
}

/** Members whose queued deposits together reach a minimum, and whose wallets may send. One whose return waits for a
 * person stays where it is. */
export async function lockCollectable(
  tx: WriteTx,
  { poolId, chainId, minimumUnits }: { poolId: string; chainId: number; minimumUnits: bigint },
): Promise<Collectable[]> {
  const { rows } = await sql<{ member_id: string; wallet_id: string; units: string; ids: string[] }>`
    WITH queued AS MATERIALIZED (
      SELECT d.id, d.member_id, d.amount_units FROM pool_deposit d
      WHERE d.pooled_account_id = ${poolId} AND d.chain_id = ${chainId} AND d.state = 'queued'
        AND NOT EXISTS (SELECT FROM money_order o WHERE o.id = d.return_order_id AND o.state = 'awaiting_approval')
      ORDER BY d.id FOR NO KEY UPDATE)
    SELECT q.member_id, w.id AS wallet_id, sum(q.amount_units)::text AS units, array_agg(q.id) AS ids
    FROM queued q JOIN chain_wallet w ON w.owner_id = q.member_id AND w.role = 'pool_deposit'
      AND w.chain_id = ${chainId} AND w.frozen_because IS NULL
    GROUP BY q.member_id, w.id HAVING sum(q.amount_units) >= ${minimumUnits.toString()}::numeric
    ORDER BY q.member_id`.execute(tx.sql);
  return rows.map((row) => ({
    memberId: row.member_id,
    walletId: row.wallet_id,
    units: BigInt(row.units),
    depositIds: row.ids,
  }));
}

export async function saveMoving(
  tx: WriteTx,
  state: 'collecting' | 'returning',
  moving: readonly { depositIds: readonly string[]; transferId: string }[],
): Promise<void> {
  if (moving.length === 0) return;
  await sql`
    UPDATE pool_deposit d SET state = ${state}, transfer_id = n.transfer_id
    FROM unnest(${moving.flatMap(({ depositIds }) => [...depositIds])}::uuid[],
      ${moving.flatMap(({ depositIds, transferId }) => depositIds.map(() => transferId))}::uuid[]) AS n (id, transfer_id)
    WHERE d.id = n.id AND d.state = 'queued'`.execute(tx.sql);
}

export interface MovedDeposit {
  id: string;
  memberId: string;
  poolId: string;
  transferId: string;
  units: bigint;
}

/** The deposits that transfers collect or return. */
export async function listMoved(tx: Tx, transferIds: readonly string[]): Promise<MovedDeposit[]> {
  const { rows } = await sql<Omit<MovedDeposit, 'units'> & { units: string }>`
    SELECT d.id, d.member_id AS "memberId", d.pooled_account_id AS "poolId", d.transfer_id AS "transferId",
      d.amount_units::text AS units
    FROM pool_deposit d WHERE d.transfer_id = ANY (${[...transferIds]}::uuid[]) ORDER BY d.id`.execute(
    tx.sql,
  );
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** Admits collected deposits to the present cycles of their pools, which the transaction keeps as they are. */
export async function recordAdmitted(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`
    WITH open AS MATERIALIZED (
      SELECT h.id, h.pooled_account_id FROM harvest_cycle h
      WHERE h.ended_at IS NULL AND h.pooled_account_id IN (
        SELECT d.pooled_account_id FROM pool_deposit d WHERE d.transfer_id = ANY (${[...transferIds]}::uuid[]))
      FOR SHARE)
    UPDATE pool_deposit d SET state = 'admitted', cycle_id = o.id, ended_at = now() FROM open o
    WHERE o.pooled_account_id = d.pooled_account_id AND d.transfer_id = ANY (${[...transferIds]}::uuid[])
      AND d.state = 'collecting'`.execute(tx.sql);
}

export async function recordReturned(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`UPDATE pool_deposit SET state = 'returned', ended_at = now()
    WHERE transfer_id = ANY (${[...transferIds]}::uuid[]) AND state = 'returning'`.execute(tx.sql);
}

/** The transfers moved nothing: their deposits wait again. */
export async function queueDepositsAgain(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`UPDATE pool_deposit SET state = 'queued', transfer_id = NULL
    WHERE transfer_id = ANY (${[...transferIds]}::uuid[]) AND state IN ('collecting', 'returning')`.execute(
    tx.sql,
  );
}
