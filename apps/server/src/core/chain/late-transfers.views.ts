import { sql } from 'kysely';
import type { TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Token } from './transfer-receiver.ts';

/** Of transfers to addresses of ours, those that no receiver has stored. Our own transfers are booked when they end. */
export async function findMissing<T extends TokenTransfer>(
  tx: Tx,
  { chainId }: Token,
  transfers: readonly T[],
): Promise<T[]> {
  if (transfers.length === 0) return [];
  const { rows } = await sql<{ place: number }>`
    SELECT t.place::int AS place
    FROM unnest(${transfers.map(({ transactionHash }) => transactionHash)}::text[],
      ${transfers.map(({ logIndex }) => logIndex)}::integer[],
      ${transfers.map(({ from }) => from.toLowerCase())}::text[])
      WITH ORDINALITY AS t (hash, log_index, sender, place)
    WHERE NOT EXISTS (SELECT FROM deposit d
        WHERE d.chain_id = ${chainId} AND d.transaction_hash = t.hash AND d.log_index = t.log_index)
      AND NOT EXISTS (SELECT FROM pool_deposit d
        WHERE d.chain_id = ${chainId} AND d.transaction_hash = t.hash AND d.log_index = t.log_index)
      AND NOT EXISTS (SELECT FROM pool_arrival a
        WHERE a.chain_id = ${chainId} AND a.transaction_hash = t.hash AND a.log_index = t.log_index)
      AND NOT EXISTS (SELECT FROM deposit_set_aside s
        WHERE s.chain_id = ${chainId} AND s.transaction_hash = t.hash AND s.log_index = t.log_index)
      AND NOT EXISTS (SELECT FROM chain_wallet w WHERE w.chain_id = ${chainId} AND lower(w.address) = t.sender)
    ORDER BY t.place`.execute(tx.sql);
  return rows.map(({ place }) => transfers[place - 1] as T);
}

/** What an address received or sent in a block, by our own records. Sent tokens are negative. */
export interface KnownMove {
  blockNumber: bigint;
  units: bigint;
}

/** Known moves of an address after a block, up to another. @param address in lower case */
export async function listKnownMoves(
  tx: Tx,
  { chainId, tokenAddress }: Token,
  { address, after, to }: { address: string; after: bigint; to: bigint },
): Promise<KnownMove[]> {
  const { rows } = await sql<{ block_number: string; units: string }>`
    SELECT m.block_number::text AS block_number, sum(m.units)::text AS units FROM (
      SELECT d.block_number, d.amount_units AS units FROM deposit d
      WHERE d.chain_id = ${chainId} AND d.token_address = ${tokenAddress} AND lower(d.to_address) = ${address}
      UNION ALL SELECT s.block_number, s.amount_units FROM deposit_set_aside s
      WHERE s.chain_id = ${chainId} AND s.token_address = ${tokenAddress} AND lower(s.to_address) = ${address}
      UNION ALL SELECT d.block_number, d.amount_units FROM pool_deposit d JOIN pool_member m ON m.id = d.member_id
      WHERE d.chain_id = ${chainId} AND d.token_address = ${tokenAddress} AND lower(m.deposit_address) = ${address}
      UNION ALL SELECT a.block_number, a.amount_units FROM pool_arrival a
      JOIN pooled_account p ON p.id = a.pooled_account_id
      WHERE a.chain_id = ${chainId} AND a.token_address = ${tokenAddress} AND lower(p.proxy_address) = ${address}
      UNION ALL SELECT t.block_number, CASE WHEN lower(i.to_address) = ${address} THEN i.amount_units ELSE 0 END
        - CASE WHEN lower(w.address) = ${address} THEN i.amount_units ELSE 0 END
      FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id JOIN chain_wallet w ON w.id = i.wallet_id
      WHERE w.chain_id = ${chainId} AND lower(i.token_address) = ${tokenAddress} AND t.is_success AND NOT t.is_cancel
        AND (lower(i.to_address) = ${address} OR lower(w.address) = ${address})
        AND t.block_number > ${after.toString()}::bigint AND t.block_number <= ${to.toString()}::bigint) m
    WHERE m.block_number > ${after.toString()}::bigint AND m.block_number <= ${to.toString()}::bigint
    GROUP BY m.block_number ORDER BY m.block_number`.execute(tx.sql);
  return rows.map(({ block_number, units }) => ({ blockNumber: BigInt(block_number), units: BigInt(units) }));
}
