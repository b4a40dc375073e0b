import { sql } from 'kysely';
import type { ReceivedTransfer, Token } from '../../../core/chain/transfer-receiver.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** Members by their deposit address in lower case. */
export async function listMemberAddresses(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, lower(deposit_address) AS address FROM pool_member WHERE deposit_address IS NOT NULL`.execute(
    tx.sql,
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}

/** The traders of members. */
export async function findTraders(tx: Tx, memberIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; trader_id: string }>`
    SELECT id, trader_id FROM pool_member WHERE id = ANY (${[...memberIds]}::uuid[])`.execute(tx.sql);
  return new Map(rows.map((row) => [row.id, row.trader_id]));
}

export interface NewPoolDeposit {
  id: string;
  memberId: string;
  units: bigint;
}

/** Inserts transfers and returns the new ones, in the order of the chain. */
export async function insertPoolDeposits(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  transfers: readonly ReceivedTransfer[],
): Promise<NewPoolDeposit[]> {
  const { rows } = await sql<{ id: string; member_id: string; units: string }>`
    WITH inserted AS (
      INSERT INTO pool_deposit (pooled_account_id, member_id, chain_id, token_address, transaction_hash, log_index,
        block_number, from_address, amount_units)
      SELECT m.pooled_account_id, m.id, ${chainId}, ${tokenAddress}, t.hash, t.log_index, t.block_number, t.sender, t.units
      FROM unnest(${transfers.map(({ ownerId }) => ownerId)}::uuid[],
        ${transfers.map(({ transactionHash }) => transactionHash)}::text[],
        ${transfers.map(({ logIndex }) => logIndex)}::integer[],
        ${transfers.map(({ block }) => block.number.toString())}::bigint[],
        ${transfers.map(({ from }) => from)}::text[],
        ${transfers.map(({ units }) => units.toString())}::numeric[]) AS t (member_id, hash, log_index, block_number, sender, units)
      JOIN pool_member m ON m.id = t.member_id
      ON CONFLICT (chain_id, transaction_hash, log_index) DO NOTHING
      RETURNING id, member_id, amount_units, block_number, log_index)
    SELECT id, member_id, amount_units::text AS units FROM inserted ORDER BY block_number, log_index`.execute(
    tx.sql,
  );
  return rows.map(({ id, member_id, units }) => ({ id, memberId: member_id, units: BigInt(units) }));
}
