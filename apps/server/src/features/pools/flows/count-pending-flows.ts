import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Deposits being collected or returned, and withdrawals being paid. The fee transfer is not among them. */
export async function countPendingFlows(tx: Tx, poolId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM pool_deposit d
        WHERE d.pooled_account_id = ${poolId} AND d.state = 'collecting')
      + (SELECT count(*) FROM pool_withdrawal w
        WHERE w.pooled_account_id = ${poolId} AND w.state = 'paying'))::int AS count`.execute(tx.sql);
  return rows[0]?.count ?? 0;
}
