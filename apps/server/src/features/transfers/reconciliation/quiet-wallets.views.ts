import { sql } from 'kysely';
import type { WalletRole } from '../../../integrations/chain/wallet-keys.ts';
import type { Tx } from '../../../platform/db/database.ts';

export interface QuietWallet {
  id: string;
  role: WalletRole;
  address: string;
  /** The balance in the ledger, base units. */
  ledgerUnits: bigint;
  nextNonce: number;
  /** All nonces from here on are in our database. */
  firstNonce: number;
  /** Number of transfers with nonces since then: equal to the assigned nonces unless one is missing. */
  knownNonces: number;
}

/** The last block whose deposits are all booked; null before the first reading. */
export async function findReadTo(tx: Tx, chainId: number, tokenAddress: string): Promise<bigint | null> {
  const { rows } = await sql<{ number: string }>`
    SELECT block_number::text AS number FROM chain_cursor
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
  return rows[0] ? BigInt(rows[0].number) : null;
}

export interface QuietWalletsPage {
  chainId: number;
  tokenAddress: string;
  blockNumber: bigint;
  /** The cursor: continues after this id. */
  after: string | null;
  limit: number;
}

interface WalletRow {
  id: string;
  role: QuietWallet['role'];
  address: string;
  units: string;
  next_nonce: string;
  first_nonce: string;
  known: string;
}

/**
 * Wallets without transfers in progress and without postings newer than the block, so their balance on chain must equal
 * the ledger.
 * @returns also the last fully booked block, which must equal the given block, because later deposits are missing from
 * the balance on chain
 */
export async function listQuietWallets(
  tx: Tx,
  { chainId, tokenAddress, blockNumber, after, limit }: QuietWalletsPage,
): Promise<{ readTo: bigint; wallets: QuietWallet[] }> {
  // One statement is one snapshot; two are not. The block is a parameter: computing it here would read all
  // transactions.
  const { rows } = await sql<{ read_to: string; wallets: WalletRow[] }>`
    WITH busy AS MATERIALIZED (
      SELECT i.wallet_id, i.kind, i.community_id FROM transfer i WHERE i.state = 'sent'
      UNION ALL SELECT i.wallet_id, i.kind, i.community_id FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
      WHERE t.block_number > ${blockNumber.toString()}::bigint)
    SELECT r.block_number::text AS read_to, coalesce((SELECT json_agg(q ORDER BY q.id) FROM (
      SELECT w.id, w.role, w.address, coalesce(b.posted, 0)::text AS units, w.next_nonce::text AS next_nonce,
        w.first_nonce::text AS first_nonce,
        (SELECT count(*) FROM transfer i WHERE i.wallet_id = w.id AND i.nonce >= w.first_nonce)::text AS known
      FROM chain_wallet w
      LEFT JOIN ledger_account a ON a.owner_id = w.owner_id AND a.asset = 'USDT'
        AND a.kind = CASE w.role WHEN 'deposit' THEN 'deposit_wallet' WHEN 'pool_deposit' THEN 'pool_deposit_wallet'
          WHEN 'pool_proxy' THEN 'pool_proxy' ELSE 'community_wallet' END
      LEFT JOIN ledger_balance b ON b.account_id = a.id
      WHERE w.chain_id = ${chainId} AND w.frozen_because IS NULL
        AND (${after}::uuid IS NULL OR w.id > ${after}::uuid)
        AND NOT EXISTS (SELECT FROM busy b WHERE b.wallet_id = w.id)
        AND NOT EXISTS (SELECT FROM busy b WHERE b.community_id = w.owner_id AND b.kind = 'consolidate')
      ORDER BY w.id LIMIT ${limit}) q), '[]') AS wallets
    FROM chain_cursor r WHERE r.chain_id = ${chainId} AND r.token_address = ${tokenAddress}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error('the chain has no cursor any more');
  const wallets = row.wallets.map((wallet) => ({
    id: wallet.id,
    role: wallet.role,
    address: wallet.address,
    ledgerUnits: BigInt(wallet.units),
    nextNonce: Number(wallet.next_nonce),
    firstNonce: Number(wallet.first_nonce),
    knownNonces: Number(wallet.known),
  }));
  return { readTo: BigInt(row.read_to), wallets };
}
