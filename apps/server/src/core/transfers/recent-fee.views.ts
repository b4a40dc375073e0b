import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** Number of mined transactions that an average covers. */
const RECENT = 50;

/** Average cost of a recent transaction, wei; null when none was mined yet. */
export async function recentFeeWei(tx: Tx): Promise<bigint | null> {
  const { rows } = await sql<{ wei: string | null }>`
    SELECT floor(avg(fee_wei))::numeric(38, 0)::text AS wei FROM (
      SELECT fee_wei FROM transfer_attempt WHERE block_number IS NOT NULL
      ORDER BY block_number DESC LIMIT ${sql.lit(RECENT)}) recent`.execute(tx.sql);
  const wei = rows[0]?.wei ?? null;
  return wei === null ? null : BigInt(wei);
}
