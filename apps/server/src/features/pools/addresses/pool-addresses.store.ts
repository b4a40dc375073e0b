import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** A pool or a member without a wallet on the chain, and its address if it has one. */
export interface WithoutWallet {
  ownerId: string;
  keyIndex: number;
  address: string | null;
}

/** Pools without a proxy wallet. One whose connection is not approved gets none. */
export async function listPoolsWithoutWallet(tx: Tx, chainId: number): Promise<WithoutWallet[]> {
  const { rows } = await sql<WithoutWallet>`
    SELECT p.id AS "ownerId", p.proxy_index AS "keyIndex", p.proxy_address AS address FROM pooled_account p
    WHERE NOT EXISTS (SELECT FROM chain_wallet w
      WHERE w.chain_id = ${chainId} AND w.role = 'pool_proxy' AND w.owner_id = p.id)
      AND p.is_approved
    ORDER BY p.id`.execute(tx.sql);
  return rows;
}

/** Some of the members without a deposit wallet, oldest first. */
export async function listMembersWithoutWallet(
  tx: Tx,
  chainId: number,
  limit: number,
): Promise<WithoutWallet[]> {
  const { rows } = await sql<WithoutWallet>`
    SELECT m.id AS "ownerId", m.deposit_index AS "keyIndex", m.deposit_address AS address FROM pool_member m
    WHERE NOT EXISTS (SELECT FROM chain_wallet w
      WHERE w.chain_id = ${chainId} AND w.role = 'pool_deposit' AND w.owner_id = m.id)
    ORDER BY m.deposit_index LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

export async function setProxyAddress(tx: WriteTx, poolId: string, address: string): Promise<void> {
  await sql`UPDATE pooled_account SET proxy_address = ${address}, updated_at = now()
    WHERE id = ${poolId} AND proxy_address IS NULL`.execute(tx.sql);
}

export async function setDepositAddresses(
  tx: WriteTx,
  members: readonly { ownerId: string; address: string }[],
): Promise<void> {
  await sql`
    UPDATE pool_member m SET deposit_address = n.address
    FROM unnest(${members.map(({ ownerId }) => ownerId)}::uuid[],
      ${members.map(({ address }) => address)}::text[]) AS n (id, address)
    WHERE m.id = n.id AND m.deposit_address IS NULL`.execute(tx.sql);
}
