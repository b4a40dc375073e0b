import { sql } from 'kysely';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { communityInScope } from '../../../../platform/db/scope-filter.ts';

/** Stores the address that the exchange gave, without approving it. */
export async function saveReadAddress(
  tx: WriteTx,
  poolId: string,
  { address, at }: { address: string; at: Date },
): Promise<void> {
  await sql`UPDATE pooled_account p SET bybit_address_read = ${address}, bybit_address_read_at = ${at}
    WHERE p.id = ${poolId} AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
}
