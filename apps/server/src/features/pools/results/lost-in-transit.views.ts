import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** What the funding of the stop before a cycle lost on its way to the exchange. Base units. For super admins and the worker. */
export async function sumLostInTransit(tx: Tx, cycleId: string): Promise<bigint> {
  const { rows } = await sql<{ lost: string }>`
    SELECT coalesce(-sum(p.amount), 0)::text AS lost
    FROM harvest_cycle h
    JOIN harvest_cycle b ON b.pooled_account_id = h.pooled_account_id AND b.cycle_number = h.cycle_number - 1
    JOIN journal j ON j.kind = 'pool_lost' AND j.source_type = 'harvest_cycle'
      AND j.source_id LIKE b.id::text || ':transit:%'
    JOIN posting p ON p.journal_id = j.id
    JOIN ledger_account a ON a.id = p.account_id AND a.kind = 'pool_transit'
    WHERE h.id = ${cycleId}`.execute(tx.sql);
  return BigInt(rows[0]?.lost ?? 0);
}
