import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export interface GasWallet {
  address: string;
  /** Wei, as a worker last read it. */
  wei: string | null;
  readAt: string | null;
  frozenBecause: string | null;
}

/** The gas wallet of the chain that a worker looked at last; null until one with the seed has run. */
export async function findGasWallet(tx: Tx): Promise<GasWallet | null> {
  const { rows } = await sql<GasWallet>`
    SELECT w.address, h.gas_wei::text AS wei, app.iso(h.gas_read_at) AS "readAt", w.frozen_because AS "frozenBecause"
    FROM chain_wallet w LEFT JOIN transfer_heartbeat h ON h.chain_id = w.chain_id
    WHERE w.role = 'gas' ORDER BY h.looked_at DESC NULLS LAST LIMIT 1`.execute(tx.sql);
  return rows[0] ?? null;
}
