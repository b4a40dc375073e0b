import type { FreezeReason } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// Wallets for signing: their nonces, locks, and whether they are frozen.

/**
 * The next nonce of a wallet, and the coin that its transactions may still take.
 * @param mined how many of its transactions the chain has mined: their coin is already spent
 * @returns `firstNonce`: the chain may have unknown transactions below it; `isNextSent`: whether the chain's next nonce
 * was signed here
 */
export async function findWalletLoad(
  tx: Tx,
  walletId: string,
  mined: number,
): Promise<{ nextNonce: number; firstNonce: number; isNextSent: boolean; committedWei: bigint }> {
  const { rows } = await sql<{
    next_nonce: string;
    first_nonce: string;
    is_next_sent: boolean;
    committed: string;
  }>`
    SELECT w.next_nonce::text AS next_nonce, w.first_nonce::text AS first_nonce,
      EXISTS (SELECT FROM transfer i WHERE i.wallet_id = w.id AND i.state = 'sent' AND i.nonce = ${mined})
        AS is_next_sent, (
      SELECT coalesce(sum(t.max_fee_wei * t.gas_limit
        + CASE WHEN i.token_address IS NULL THEN i.amount_units ELSE 0 END), 0)::text
      FROM transfer i
      CROSS JOIN LATERAL (SELECT max_fee_wei, gas_limit FROM transfer_attempt WHERE transfer_id = i.id
        ORDER BY attempt DESC LIMIT 1) t
      WHERE i.wallet_id = w.id AND i.state = 'sent' AND i.nonce >= ${mined}) AS committed
    FROM chain_wallet w WHERE w.id = ${walletId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`there is no wallet ${walletId}`);
  return {
    nextNonce: Number(row.next_nonce),
    firstNonce: Number(row.first_nonce),
    isNextSent: row.is_next_sent,
    committedWei: BigInt(row.committed),
  };
}

export interface LockedSender {
  nextNonce: number;
  isFrozen: boolean;
}

/** Locks a wallet until the transaction ends; null when another transaction has it. */
export async function lockWallet(tx: WriteTx, walletId: string): Promise<LockedSender | null> {
  const { rows } = await sql<{ next_nonce: string; is_frozen: boolean }>`
    SELECT next_nonce::text AS next_nonce, frozen_because IS NOT NULL AS is_frozen
    FROM chain_wallet WHERE id = ${walletId} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx.sql);
  const [row] = rows;
  return row ? { nextNonce: Number(row.next_nonce), isFrozen: row.is_frozen } : null;
}

/** The platform's gas wallet, created on first use. */
export async function ensureGasWallet(tx: WriteTx, chainId: number, address: string): Promise<string> {
  await sql`
    INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
    VALUES (${chainId}, 'gas', '00000000-0000-0000-0000-000000000000', 0, ${address})
    ON CONFLICT (chain_id, role, owner_id) DO NOTHING`.execute(tx.sql);
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, address FROM chain_wallet WHERE chain_id = ${chainId} AND role = 'gas'`.execute(tx.sql);
  const [wallet] = rows;
  if (wallet?.address !== address) throw new Error(`the gas wallet is ${wallet?.address}, not of this seed`);
  return wallet.id;
}

interface Freezing {
  walletId: string;
  because: FreezeReason;
  chainNonce: number;
  at: Date;
}

/** A frozen wallet sends no transfers until it has been reviewed. */
export const freezeWallet = (tx: WriteTx, freezing: Freezing) => freezeWhere(tx, freezing, sql`true`);

/** The same, only while the end of one of its transfers is unknown. */
export const freezeWalletOf = (tx: WriteTx, transferId: string, freezing: Freezing) =>
  freezeWhere(
    tx,
    freezing,
    sql`EXISTS (SELECT FROM transfer i WHERE i.id = ${transferId} AND i.state = 'sent')`,
  );

async function freezeWhere(
  tx: WriteTx,
  { walletId, because, chainNonce, at }: Freezing,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE chain_wallet SET frozen_because = ${because}, frozen_at = ${at}, chain_nonce = ${chainNonce}
    WHERE id = ${walletId} AND frozen_because IS NULL AND ${condition}`.execute(tx.sql);
  return numAffectedRows === 1n;
}
