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

/** Number of mined transactions of a window that is long enough to have top-ups and the transfers that they serve. */
const WINDOW = 500;

/**
 * What a token transfer costs the gas wallet, wei: all coin that left it among recent transactions, which is its own
 * fees and the coin that it sent to other wallets for theirs, divided by their token transfers. Coin that is left over
 * in those wallets counts as spent, so the figure is rather too high. Null when no token transfer was mined yet.
 */
export async function recentCostWei(tx: Tx): Promise<bigint | null> {
  const { rows } = await sql<{ wei: string | null }>`
    SELECT ceil(sum(r.wei) / nullif(sum(r.tokens), 0))::numeric(38, 0)::text AS wei FROM (
      SELECT CASE WHEN w.role = 'gas' THEN a.fee_wei + CASE WHEN t.kind = 'gas_topup' THEN t.amount_units ELSE 0 END
          ELSE 0 END AS wei,
        CASE WHEN t.kind = 'gas_topup' THEN 0 ELSE 1 END AS tokens
      FROM transfer_attempt a JOIN transfer t ON t.id = a.transfer_id JOIN chain_wallet w ON w.id = a.wallet_id
      WHERE a.block_number IS NOT NULL ORDER BY a.block_number DESC LIMIT ${sql.lit(WINDOW)}) r`.execute(
    tx.sql,
  );
  const wei = rows[0]?.wei ?? null;
  return wei === null || wei === '0' ? null : BigInt(wei);
}
