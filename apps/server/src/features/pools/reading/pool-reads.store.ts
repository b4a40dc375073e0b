import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** Active pools with a key whose last attempt was before a time, the longest ago first. */
export async function listDuePools(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT p.id FROM pooled_account p LEFT JOIN pool_exchange_read x ON x.pooled_account_id = p.id
    WHERE p.is_active AND EXISTS (SELECT FROM pool_key k WHERE k.pooled_account_id = p.id)
      AND (x.tried_at IS NULL OR x.tried_at < ${before})
    ORDER BY x.tried_at NULLS FIRST, p.id LIMIT ${limit}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

export async function saveRead(
  tx: WriteTx,
  poolId: string,
  { units, readAt }: { units: bigint; readAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO pool_exchange_read (pooled_account_id, balance_units, read_at, tried_at)
    VALUES (${poolId}, ${units.toString()}, ${readAt}, ${readAt})
    ON CONFLICT (pooled_account_id) DO UPDATE SET balance_units = excluded.balance_units, read_at = excluded.read_at,
      tried_at = excluded.tried_at, problem = NULL
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
