import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** Communities without a wallet address. */
export async function listWithoutWallet(tx: Tx): Promise<{ id: string; keyIndex: number }[]> {
  const { rows } = await sql<{ id: string; key_index: number }>`
    SELECT id, internal_wallet_index AS key_index FROM community WHERE internal_wallet_address IS NULL
    ORDER BY id`.execute(tx.sql);
  return rows.map((row) => ({ id: row.id, keyIndex: row.key_index }));
}

export async function setWalletAddress(tx: WriteTx, communityId: string, address: string): Promise<void> {
  await sql`
    UPDATE community SET internal_wallet_address = ${address}, updated_at = now()
    WHERE id = ${communityId} AND internal_wallet_address IS NULL`.execute(tx.sql);
}
