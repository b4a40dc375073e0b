import { sql } from 'kysely';
import type { WalletRole } from '../../../integrations/chain/wallet-keys.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** A wallet of a restored database, as long as it is frozen for that. */
export interface RestoredWallet {
  /** Null: an address that had sent nothing before the backup, so it has no wallet's row yet. */
  id: string | null;
  role: WalletRole;
  /** In lower case. */
  address: string;
  /** The first nonce that the backup had not assigned. */
  nextNonce: number;
  /** Community or trader, for people. */
  owner: string | null;
}

/**
 * Wallets that are frozen since a restore, and addresses of ours that have no wallet's row yet, by
 * address.
 * @param after the cursor: continues after this address
 */
export async function listRestoredWallets(
  tx: Tx,
  { chainId, after, limit }: { chainId: number; after: string; limit: number },
): Promise<RestoredWallet[]> {
  const { rows } = await sql<Omit<RestoredWallet, 'nextNonce'> & { next_nonce: string }>`
    SELECT a.id, a.role, a.address, a.next_nonce::text AS next_nonce,
      coalesce(c.name, t.reference_number) AS owner
    FROM (
      SELECT w.id, w.role, lower(w.address) AS address, w.next_nonce, w.owner_id
      FROM chain_wallet w WHERE w.chain_id = ${chainId} AND w.frozen_because = 'restored'
      UNION ALL
      SELECT NULL, o.role, lower(o.address), 0, o.owner_id
      FROM (
        SELECT 'community' AS role, c.internal_wallet_address AS address, c.id AS owner_id FROM community c
        UNION ALL SELECT 'deposit', t.deposit_address, t.id FROM trader t
        UNION ALL SELECT 'pool_proxy', p.proxy_address, p.id FROM pooled_account p
        UNION ALL SELECT 'pool_deposit', m.deposit_address, m.id FROM pool_member m) o
      WHERE o.address IS NOT NULL AND NOT EXISTS (
        SELECT FROM chain_wallet w WHERE w.chain_id = ${chainId} AND lower(w.address) = lower(o.address))) a
    LEFT JOIN community c ON c.id = a.owner_id
    LEFT JOIN trader t ON t.id = a.owner_id
    WHERE a.address > ${after} COLLATE "C"
    ORDER BY a.address COLLATE "C" LIMIT ${limit}`.execute(tx.sql);
  return rows.map(({ next_nonce, ...wallet }) => ({ ...wallet, nextNonce: Number(next_nonce) }));
}

/** Of these transactions, the ones that were signed here. */
export async function listKnownHashes(tx: Tx, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    SELECT hash FROM transfer_attempt WHERE hash = ANY (${[...hashes]}::text[])`.execute(tx.sql);
  return new Set(rows.map(({ hash }) => hash));
}
