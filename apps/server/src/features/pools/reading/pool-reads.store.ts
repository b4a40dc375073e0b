import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** A pool to read. */
export interface DuePool {
  id: string;
  /** It is open to its members: nothing may trade. */
  isOpen: boolean;
}

/** Active pools with a key whose last attempt was before a time, the longest ago first. */
export async function listDuePools(tx: Tx, before: Date, limit: number): Promise<DuePool[]> {
  const { rows } = await sql<DuePool>`
    SELECT p.id, EXISTS (SELECT FROM harvest_cycle h WHERE h.pooled_account_id = p.id AND h.ended_at IS NULL
      AND h.status = 'harvesting') AS "isOpen"
    FROM pooled_account p LEFT JOIN pool_exchange_read x ON x.pooled_account_id = p.id
    WHERE p.is_active AND EXISTS (SELECT FROM pool_key k WHERE k.pooled_account_id = p.id)
      AND (x.tried_at IS NULL OR x.tried_at < ${before})
    ORDER BY x.tried_at NULLS FIRST, p.id LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

interface PoolRead {
  units: bigint;
  readAt: Date;
  /** Null: not read, because the pool may trade. */
  openPositions: number | null;
  openOrders: number | null;
}

/** Whether the last read found that a pool trades although it is open. */
export async function isTrading(tx: Tx, poolId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pool_exchange_read
    WHERE pooled_account_id = ${poolId} AND (open_positions > 0 OR open_orders > 0)`.execute(tx.sql);
  return rows.length > 0;
}

export async function saveRead(
  tx: WriteTx,
  poolId: string,
  { units, readAt, openPositions, openOrders }: PoolRead,
): Promise<void> {
  await sql`
    INSERT INTO pool_exchange_read (pooled_account_id, balance_units, read_at, tried_at, open_positions, open_orders)
    VALUES (${poolId}, ${units.toString()}, ${readAt}, ${readAt}, ${openPositions}, ${openOrders})
    ON CONFLICT (pooled_account_id) DO UPDATE SET balance_units = excluded.balance_units, read_at = excluded.read_at,
      tried_at = excluded.tried_at, open_positions = excluded.open_positions, open_orders = excluded.open_orders,
      problem = NULL
    WHERE pool_exchange_read.read_at IS NULL OR pool_exchange_read.read_at < excluded.read_at`.execute(
    tx.sql,
  );
}

/** The balance of an earlier read stays, with its time. */
export async function saveProblem(tx: WriteTx, poolId: string, problem: string, at: Date): Promise<void> {
  await sql`
    INSERT INTO pool_exchange_read (pooled_account_id, problem, tried_at) VALUES (${poolId}, ${problem}, ${at})
    ON CONFLICT (pooled_account_id) DO UPDATE SET problem = excluded.problem, tried_at = excluded.tried_at`.execute(
    tx.sql,
  );
}
