import type { HaltReason } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** What a worker found in a turn. */
export interface Heartbeat {
  /** Why payouts are halted. */
  because: HaltReason | null;
  /** The words of the error or of the server. */
  detail: string | null;
  /** Coin of the gas wallet, wei; null when it could not be read. */
  gasWei: bigint | null;
}

/** Records a worker's turn. The same reason for a halt keeps its first time, and a balance stays until the next one. */
export async function recordHeartbeat(
  tx: WriteTx,
  chainId: number,
  { because, detail, gasWei }: Heartbeat,
): Promise<void> {
  await sql`
    INSERT INTO transfer_heartbeat AS h (chain_id, halted_because, halted_detail, halted_at, gas_wei, gas_read_at)
    SELECT ${chainId}, n.because, ${detail}::text, CASE WHEN n.because IS NOT NULL THEN now() END, n.wei,
      CASE WHEN n.wei IS NOT NULL THEN now() END
    FROM (SELECT ${because}::text AS because, ${gasWei?.toString() ?? null}::numeric AS wei) n
    ON CONFLICT (chain_id) DO UPDATE SET looked_at = now(), halted_because = excluded.halted_because, halted_detail = excluded.halted_detail,
      halted_at = CASE WHEN h.halted_because = excluded.halted_because THEN h.halted_at
        ELSE excluded.halted_at END,
      gas_wei = coalesce(excluded.gas_wei, h.gas_wei),
      gas_read_at = coalesce(excluded.gas_read_at, h.gas_read_at)`.execute(tx.sql);
}

/** Servers lower their minimum again, and a refusal raises the floor again within one turn. */
const FLOOR_KNOWN_FOR_MS = 86_400_000;

/** The lowest tip that servers take, wei per unit of gas, as learned from refusals of the last day; 0: none is known. */
export async function findTipFloor(tx: Tx, chainId: number, at: Date): Promise<bigint> {
  const since = new Date(at.getTime() - FLOOR_KNOWN_FOR_MS);
  const { rows } = await sql<{ wei: string }>`
    SELECT tip_floor_wei::text AS wei FROM transfer_heartbeat
    WHERE chain_id = ${chainId} AND tip_floor_at > ${since}`.execute(tx.sql);
  return BigInt(rows[0]?.wei ?? 0);
}

/** Raises the floor. Another worker may have learned a higher one. */
export async function learnTipFloor(tx: WriteTx, chainId: number, floorWei: bigint, at: Date): Promise<void> {
  const since = new Date(at.getTime() - FLOOR_KNOWN_FOR_MS);
  await sql`
    INSERT INTO transfer_heartbeat AS h (chain_id, tip_floor_wei, tip_floor_at)
    VALUES (${chainId}, ${floorWei.toString()}, ${at})
    ON CONFLICT (chain_id) DO UPDATE SET tip_floor_at = excluded.tip_floor_at, tip_floor_wei =
      CASE WHEN h.tip_floor_at > ${since} THEN greatest(h.tip_floor_wei, excluded.tip_floor_wei)
        ELSE excluded.tip_floor_wei END`.execute(tx.sql);
}
