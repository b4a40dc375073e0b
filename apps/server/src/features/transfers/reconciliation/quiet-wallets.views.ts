import { sql } from 'kysely';
import { movingAddresses } from '../../../core/chain/moving-addresses.ts';
import type { WalletRole } from '../../../integrations/chain/wallet-keys.ts';
import type { Tx } from '../../../platform/db/database.ts';

export interface QuietWallet {
  /** Null: an address that has sent nothing yet, so it has no wallet's row. */
  id: string | null;
  role: WalletRole;
  address: string;
  /** The balance in the ledger, base units. */
  ledgerUnits: bigint;
  nextNonce: number;
  /** All nonces from here on are in our database. */
  firstNonce: number;
  /** Number of transfers with nonces since then: equal to the assigned nonces unless one is missing. */
  knownNonces: number;
  /** The last block up to which no transfer is missing, and what the chain had beyond the ledger there. */
  sound: { blockNumber: bigint; surplusUnits: bigint } | null;
}

/**
 * Which addresses are compared: those that move, all others that were not compared for a day, or those with a wallet's
 * row.
 */
export type Reach = 'moving' | 'due' | 'wallets';

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
  reach: Reach;
  now: Date;
  /** The cursor: continues after this address. */
  after: string;
  limit: number;
}

interface WalletRow {
  id: string | null;
  role: QuietWallet['role'];
  address: string;
  units: string;
  next_nonce: string;
  first_nonce: string;
  known: string;
  sound_block: string | null;
  surplus: string | null;
}

export interface ReadTo {
  number: bigint;
  hash: `0x${string}`;
  /** The block after which reading began; null: not known. */
  firstBlock: bigint | null;
}

const DAY_MS = 86_400_000;

/**
 * Addresses of ours without transfers in progress and without postings newer than the block, so their balance on chain
 * must equal the ledger. Traders whose books are not opened yet are left out: the opening counts their tokens.
 * @returns also the last fully booked block, which must equal the given block, because later deposits are missing from
 * the balance on chain
 */
export async function listQuietWallets(
  tx: Tx,
  { chainId, tokenAddress, blockNumber, reach, now, after, limit }: QuietWalletsPage,
): Promise<{ readTo: ReadTo; wallets: QuietWallet[] }> {
  const moves = sql`a.address IN (${movingAddresses(now)})`;
  const isDue = sql`(k.checked_at IS NULL OR k.checked_at <= ${new Date(now.getTime() - DAY_MS)})`;
  const wanted = { moving: moves, due: sql`${isDue} AND NOT (${moves})`, wallets: sql`a.id IS NOT NULL` }[
    reach
  ];
  // One statement is one snapshot; two are not. The block is a parameter: computing it here would read all
  // transactions.
  const { rows } = await sql<{
    read_to: string;
    hash: ReadTo['hash'];
    first_block: string | null;
    wallets: WalletRow[];
  }>`
    WITH busy AS MATERIALIZED (
      SELECT i.wallet_id, i.kind, i.community_id, lower(i.to_address) AS recipient FROM transfer i WHERE i.state = 'sent'
      UNION ALL SELECT i.wallet_id, i.kind, i.community_id, lower(i.to_address)
      FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
      WHERE t.block_number > ${blockNumber.toString()}::bigint),
    own AS (
      SELECT w.id, w.role, lower(w.address) AS address, w.owner_id, w.next_nonce, w.first_nonce
      FROM chain_wallet w WHERE w.chain_id = ${chainId} AND w.frozen_because IS NULL
      UNION ALL
      SELECT NULL, o.role, lower(o.address), o.owner_id, 0, 0
      FROM (
        SELECT 'community' AS role, c.internal_wallet_address AS address, c.id AS owner_id FROM community c
        UNION ALL SELECT 'deposit', t.deposit_address, t.id FROM trader t WHERE t.books_opened_at IS NOT NULL
        UNION ALL SELECT 'pool_proxy', p.proxy_address, p.id FROM pooled_account p
        UNION ALL SELECT 'pool_deposit', m.deposit_address, m.id FROM pool_member m) o
      WHERE o.address IS NOT NULL AND NOT EXISTS (
        SELECT FROM chain_wallet w WHERE w.chain_id = ${chainId} AND lower(w.address) = lower(o.address)))
    SELECT r.block_number::text AS read_to, r.block_hash AS hash, r.first_block::text AS first_block,
      coalesce((SELECT json_agg(q ORDER BY q.address COLLATE "C") FROM (
      SELECT a.id, a.role, a.address, coalesce(b.posted, 0)::text AS units, a.next_nonce::text AS next_nonce,
        a.first_nonce::text AS first_nonce,
        (SELECT count(*) FROM transfer i WHERE i.wallet_id = a.id AND i.nonce >= a.first_nonce)::text AS known,
        k.block_number::text AS sound_block, k.surplus_units::text AS surplus
      FROM own a
      LEFT JOIN chain_address_check k ON k.chain_id = ${chainId} AND k.token_address = ${tokenAddress}
        AND k.address = a.address
      LEFT JOIN ledger_account l ON l.owner_id = a.owner_id AND l.asset = 'USDT'
        AND l.kind = CASE a.role WHEN 'deposit' THEN 'deposit_wallet' WHEN 'pool_deposit' THEN 'pool_deposit_wallet'
          WHEN 'pool_proxy' THEN 'pool_proxy' ELSE 'community_wallet' END
      LEFT JOIN ledger_balance b ON b.account_id = l.id
      WHERE a.address > ${after} COLLATE "C" AND ${wanted}
        AND NOT EXISTS (SELECT FROM busy b WHERE b.wallet_id = a.id OR b.recipient = a.address)
        AND NOT EXISTS (SELECT FROM busy b WHERE b.community_id = a.owner_id AND b.kind = 'consolidate')
      ORDER BY a.address COLLATE "C" LIMIT ${limit}) q), '[]') AS wallets
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
    sound:
      wallet.sound_block === null
        ? null
        : { blockNumber: BigInt(wallet.sound_block), surplusUnits: BigInt(wallet.surplus as string) },
  }));
  const firstBlock = row.first_block === null ? null : BigInt(row.first_block);
  return { readTo: { number: BigInt(row.read_to), hash: row.hash, firstBlock }, wallets };
}
