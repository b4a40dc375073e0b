import type { HaltReason } from '@copydesk/domain';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** What a worker found in a turn. */
export interface Heartbeat {
  /** Why payouts are halted. */
  because: HaltReason | null;
  /** Coin of the gas wallet, wei; null when it could not be read. */
  gasWei: bigint | null;
}

/** Records a worker's turn. The same reason for a halt keeps its first time, and a balance stays until the next one. */
export async function noteHeartbeat(
  tx: WriteTx,
  chainId: number,
  { because, gasWei }: Heartbeat,
): Promise<void> {
  await sql`
    INSERT INTO transfer_heartbeat AS h (chain_id, halted_because, halted_at, gas_wei, gas_read_at)
    SELECT ${chainId}, n.because, CASE WHEN n.because IS NOT NULL THEN now() END, n.wei,
      CASE WHEN n.wei IS NOT NULL THEN now() END
    FROM (SELECT ${because}::text AS because, ${gasWei?.toString() ?? null}::numeric AS wei) n
    ON CONFLICT (chain_id) DO UPDATE SET looked_at = now(), halted_because = excluded.halted_because,
      halted_at = CASE WHEN h.halted_because = excluded.halted_because THEN h.halted_at
        ELSE excluded.halted_at END,
      gas_wei = coalesce(excluded.gas_wei, h.gas_wei),
      gas_read_at = coalesce(excluded.gas_read_at, h.gas_read_at)`.execute(tx.sql);
}
