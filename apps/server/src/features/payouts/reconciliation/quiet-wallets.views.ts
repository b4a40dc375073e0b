import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export interface QuietWallet {
  id: string;
  role: 'community' | 'deposit' | 'gas';
  address: string;
  /** What the ledger says is there, base units. */
  ledgerUnits: bigint;
  nextNonce: number;
  /** From here on we have all of its nonces. */
  firstNonce: number;
  /** Nonces since then that stand with a transfer: as many as were handed out, unless something is missing. */
  knownNonces: number;
}

/** Up to which block all that came in is booked; null while nothing was read. */
export async function findReadTo(
  tx: Tx,
  chainId: number,
  tokenAddress: string,
): Promise<{ blockNumber: bigint } | null> {
  const { rows } = await sql<{ number: string }>`
    SELECT block_number::text AS number FROM chain_cursor
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
  return rows[0] ? { blockNumber: BigInt(rows[0].number) } : null;
}

/**
 * Wallets from and to which nothing is on its way, and nothing was booked that the block does not have: there the chain
 * has to say what the ledger says.
 * @param after continues behind this id
 */
export async function listQuietWallets(
  tx: Tx,
  {
    chainId,
    blockNumber,
    after,
    limit,
  }: { chainId: number; blockNumber: bigint; after: string | null; limit: number },
): Promise<QuietWallet[]> {
  const { rows } = await sql<{
    id: string;
    role: QuietWallet['role'];
    address: string;
    units: string;
    next_nonce: string;
    first_nonce: string;
    known: string;
  }>`
    WITH busy AS MATERIALIZED (
      SELECT i.wallet_id, i.kind, i.community_id FROM chain_intent i WHERE i.state = 'sent'
      UNION ALL SELECT i.wallet_id, i.kind, i.community_id FROM chain_tx t JOIN chain_intent i ON i.id = t.intent_id
      WHERE t.block_number > ${blockNumber.toString()}::bigint)
    SELECT w.id, w.role, w.address, coalesce(b.posted, 0)::text AS units, w.next_nonce::text AS next_nonce,
      w.first_nonce::text AS first_nonce,
      (SELECT count(*) FROM chain_intent i WHERE i.wallet_id = w.id AND i.nonce >= w.first_nonce)::text AS known
    FROM chain_wallet w
    LEFT JOIN ledger_account a ON a.owner_id = w.owner_id AND a.asset = 'USDT'
      AND a.kind = CASE w.role WHEN 'deposit' THEN 'deposit_wallet' ELSE 'community_wallet' END
    LEFT JOIN ledger_balance b ON b.account_id = a.id
    WHERE w.chain_id = ${chainId} AND w.frozen_because IS NULL
      AND (${after}::uuid IS NULL OR w.id > ${after}::uuid)
      AND NOT EXISTS (SELECT FROM busy b WHERE b.wallet_id = w.id)
      AND NOT EXISTS (SELECT FROM busy b WHERE b.community_id = w.owner_id AND b.kind = 'consolidate')
    ORDER BY w.id LIMIT ${limit}`.execute(tx.sql);
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    address: row.address,
    ledgerUnits: BigInt(row.units),
    nextNonce: Number(row.next_nonce),
    firstNonce: Number(row.first_nonce),
    knownNonces: Number(row.known),
  }));
}
