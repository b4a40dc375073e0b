import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope, traderInScope } from '../../platform/db/scope-filter.ts';

export interface PayingWallet {
  id: string;
  address: string;
}

/** The wallet that a community pays from; null when it has none, or one that differs from its transfers' wallet. */
export async function openCommunityWallet(
  tx: WriteTx,
  chainId: number,
  communityId: string,
): Promise<PayingWallet | null> {
  await sql`
    INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
    SELECT ${chainId}::int, 'community', c.id, c.internal_wallet_index, c.internal_wallet_address FROM community c
    WHERE c.id = ${communityId} AND c.internal_wallet_address IS NOT NULL AND ${communityInScope(tx, 'c.id')}
    ON CONFLICT (chain_id, role, owner_id) DO NOTHING`.execute(tx.sql);
  const { rows } = await sql<PayingWallet>`
    SELECT w.id, w.address FROM chain_wallet w JOIN community c ON c.id = w.owner_id
    WHERE w.chain_id = ${chainId} AND w.role = 'community' AND w.owner_id = ${communityId}
      AND lower(w.address) = lower(c.internal_wallet_address)`.execute(tx.sql);
  return rows[0] ?? null;
}

/** A wallet's owner, key and address. */
export interface NewWallet {
  ownerId: string;
  keyIndex: number;
  address: string;
}

/** Opens wallets of one role. Those that exist stay as they are. */
export async function openWallets(
  tx: WriteTx,
  { chainId, role }: { chainId: number; role: 'pool_proxy' | 'pool_deposit' },
  wallets: readonly NewWallet[],
): Promise<void> {
  await sql`
    INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
    SELECT ${chainId}::int, ${role}, *
    FROM unnest(${wallets.map(({ ownerId }) => ownerId)}::uuid[], ${wallets.map(({ keyIndex }) => keyIndex)}::int[],
      ${wallets.map(({ address }) => address)}::text[])
    ON CONFLICT (chain_id, role, owner_id) DO NOTHING`.execute(tx.sql);
}

/** The wallets of traders' deposit addresses, by trader, without traders that have no address. */
export async function openDepositWallets(
  tx: WriteTx,
  chainId: number,
  traderIds: readonly string[],
): Promise<Map<string, string>> {
  await sql`
    INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
    SELECT ${chainId}::int, 'deposit', t.id, t.deposit_index, t.deposit_address FROM trader t
    WHERE t.id = ANY (${[...traderIds]}::uuid[]) AND t.deposit_address IS NOT NULL AND ${traderInScope(tx, 't.id')}
    ORDER BY t.id
    ON CONFLICT (chain_id, role, owner_id) DO NOTHING`.execute(tx.sql);
  const { rows } = await sql<{ id: string; owner_id: string }>`
    SELECT w.id, w.owner_id FROM chain_wallet w JOIN trader t ON t.id = w.owner_id
    WHERE w.chain_id = ${chainId} AND w.role = 'deposit' AND w.owner_id = ANY (${[...traderIds]}::uuid[])
      AND lower(w.address) = lower(t.deposit_address)`.execute(tx.sql);
  return new Map(rows.map((row) => [row.owner_id, row.id]));
}
