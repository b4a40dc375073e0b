import type { HaltReason } from '@copydesk/domain';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** Records a worker's turn and the reason why payouts are halted; the same reason keeps its first time. */
export async function noteHeartbeat(tx: WriteTx, chainId: number, because: HaltReason | null): Promise<void> {
  await sql`
    INSERT INTO transfer_heartbeat AS h (chain_id, halted_because, halted_at)
    VALUES (${chainId}, ${because}, CASE WHEN ${because}::text IS NOT NULL THEN now() END)
    ON CONFLICT (chain_id) DO UPDATE SET looked_at = now(), halted_because = excluded.halted_because,
      halted_at = CASE WHEN h.halted_because = excluded.halted_because THEN h.halted_at
        ELSE excluded.halted_at END`.execute(tx.sql);
}
