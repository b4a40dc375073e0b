import { sql } from 'kysely';
import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { OtherTransfer } from '../../../integrations/chain/chain-reader.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// Transfers of other tokens, and how far the chain was searched for them. For the worker only.

/** A part of a round that this worker searches: addresses after one, in the blocks after one. */
export interface Lease {
  after: bigint;
  to: bigint;
  afterAddress: string;
  /** Whether another round waits for this one. */
  isBehind: boolean;
}

/** Lists transfers. Those that are listed already change nothing. */
export async function addTransfers(
  tx: WriteTx,
  { chainId }: Token,
  found: readonly OtherTransfer[],
): Promise<void> {
  // Sorted, because two workers may insert the same rows.
  await sql`INSERT INTO other_token (chain_id, token_address)
    SELECT DISTINCT ${chainId}::integer, n.address FROM unnest(${found.map(({ token }) => token)}::text[]) AS n (address)
    ORDER BY 2 ON CONFLICT DO NOTHING`.execute(tx.sql);
  await sql`INSERT INTO other_token_transfer (chain_id, transaction_hash, log_index, token_address, block_number,
      from_address, to_address, amount_units)
    SELECT ${chainId}, n.* FROM unnest(${found.map(({ transactionHash }) => transactionHash)}::text[],
      ${found.map(({ logIndex }) => logIndex)}::integer[], ${found.map(({ token }) => token)}::text[],
      ${found.map(({ block }) => block.number.toString())}::bigint[], ${found.map(({ from }) => from)}::text[],
      ${found.map(({ to: address }) => address)}::text[],
      ${found.map(({ units }) => units.toString())}::numeric[]) AS n (hash, place, token, block, sender, receiver, units)
    ORDER BY n.hash, n.place ON CONFLICT DO NOTHING`.execute(tx.sql);
}

/**
 * Takes the next part of the round in progress. Without one, begins a round of at most `blocksAtOnce` blocks,
 * once that many wait or the last round began at `begunBefore`. The first round begins where addresses that
 * move are searched.
 * @returns null: nothing waits, or another worker searches
 */
export async function leaseRound(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  {
    at,
    until,
    begunBefore,
    blocksAtOnce,
  }: { at: Date; until: Date; begunBefore: Date; blocksAtOnce: number },
): Promise<Lease | null> {
  const searchedTo = sql`coalesce(c.searched_to, c.block_number)`;
  const { rows } = await sql<{ after: string; to: string; afterAddress: string; isBehind: boolean }>`
    UPDATE other_token_cursor c SET leased_until = ${until}, searched_to = ${searchedTo},
      searching_to = coalesce(c.searching_to, least(k.block_number, ${searchedTo} + ${blocksAtOnce}::bigint)),
      round_began_at = CASE WHEN c.searching_to IS NULL THEN ${at} ELSE c.round_began_at END
    FROM chain_cursor k
    WHERE c.chain_id = ${chainId} AND k.chain_id = c.chain_id AND k.token_address = ${tokenAddress}
      AND (c.leased_until IS NULL OR c.leased_until <= ${at})
      AND (c.searching_to IS NOT NULL OR k.block_number - ${searchedTo} >= ${blocksAtOnce}::bigint
        OR k.block_number > ${searchedTo} AND (c.round_began_at IS NULL OR c.round_began_at <= ${begunBefore}))
    RETURNING c.searched_to::text AS after, c.searching_to::text AS to, c.after_address AS "afterAddress",
      k.block_number - c.searching_to >= ${blocksAtOnce}::bigint AS "isBehind"`.execute(tx.sql);
  const [row] = rows;
  return row ? { ...row, after: BigInt(row.after), to: BigInt(row.to) } : null;
}

/**
 * Notes that a part was searched, unless another worker has gone on with it.
 * @param lastAddress null: it was the last part of the round
 */
export async function endLease(
  tx: WriteTx,
  { chainId }: Token,
  { to, afterAddress }: Lease,
  lastAddress: string | null,
): Promise<void> {
  await sql`UPDATE other_token_cursor SET leased_until = NULL, after_address = ${lastAddress ?? ''},
      searched_to = CASE WHEN ${lastAddress}::text IS NULL THEN searching_to ELSE searched_to END,
      searching_to = CASE WHEN ${lastAddress}::text IS NULL THEN NULL ELSE searching_to END
    WHERE chain_id = ${chainId} AND searching_to = ${to.toString()} AND after_address = ${afterAddress}`.execute(
    tx.sql,
  );
}

/**
 * Addresses of ours after a given one, in lower case and in the database's order; each table's part comes
 * from its index.
 */
export async function listAddressesAfter(
  tx: Tx,
  { chainId }: Token,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const next = (column: string, table: string, where = 'true') => sql`
    (SELECT lower(${sql.ref(column)}) AS address FROM ${sql.table(table)}
     WHERE ${sql.ref(column)} IS NOT NULL AND lower(${sql.ref(column)}) > ${after} AND ${sql.raw(where)}
     ORDER BY lower(${sql.ref(column)}) LIMIT ${limit})`;
  const { rows } = await sql<{ address: string }>`SELECT a.address FROM (
      ${next('deposit_address', 'trader')} UNION ${next('deposit_address', 'pool_member')}
      UNION ${next('proxy_address', 'pooled_account')} UNION ${next('internal_wallet_address', 'community')}
      UNION ${next('address', 'chain_wallet', `chain_id = ${chainId}`)}) a
    ORDER BY a.address LIMIT ${limit}`.execute(tx.sql);
  return rows.map(({ address }) => address);
}
