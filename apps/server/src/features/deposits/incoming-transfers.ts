import { sql } from 'kysely';
import type { Token } from '../../core/chain/transfer-receiver.ts';
import type { ChainReader, TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import { type Database, type Tx, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { owingTraders } from './deposits.store.ts';

/**
 * Notes transfers to owing traders in blocks after the last final one, and forgets those that became final or
 * disappeared. Books nothing.
 */
export async function recordIncoming({
  db,
  chain,
  token,
}: {
  db: Database;
  chain: Pick<ChainReader, 'transfersAfter'>;
  token: Token;
}): Promise<void> {
  const { owners, after, noted } = await db.read(WHOLE_SCOPE, async (tx) => ({
    owners: await listOwing(tx),
    after: await findFinalRead(tx, token),
    noted: await listNoted(tx, token),
  }));
  if (after === null) return;
  const transfers = owners.size === 0 ? [] : await chain.transfersAfter(after, new Set(owners.keys()));
  const isNoted = transfers.every((transfer) => noted.has(nameOf(transfer)));
  if (isNoted && transfers.length === noted.size) return;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => replaceIncoming(tx, token, owners, transfers));
}

const nameOf = ({ transactionHash, logIndex }: { transactionHash: string; logIndex: number }) =>
  `${transactionHash} ${logIndex}`;

/** The transfers that are noted now, by their names. */
async function listNoted(tx: Tx, { chainId }: Token): Promise<Set<string>> {
  const { rows } = await sql<{ transactionHash: string; logIndex: number }>`
    SELECT transaction_hash AS "transactionHash", log_index AS "logIndex" FROM incoming_transfer
    WHERE chain_id = ${chainId}`.execute(tx.sql);
  return new Set(rows.map(nameOf));
}

/** Traders with something open, by their deposit address in lower case. */
async function listOwing(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT t.id, lower(t.deposit_address) AS address FROM trader t
    WHERE t.deposit_address IS NOT NULL AND t.id IN (${owingTraders})`.execute(tx.sql);
  return new Map(rows.map(({ id, address }) => [address, id]));
}

async function findFinalRead(tx: Tx, { chainId, tokenAddress }: Token): Promise<bigint | null> {
  const { rows } = await sql<{ number: string }>`
    SELECT block_number::text AS number FROM chain_cursor
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
  return rows[0] ? BigInt(rows[0].number) : null;
}

async function replaceIncoming(
  tx: WriteTx,
  { chainId }: Token,
  owners: ReadonlyMap<string, string>,
  transfers: readonly TokenTransfer[],
): Promise<void> {
  const hashes = transfers.map(({ transactionHash }) => transactionHash);
  const indexes = transfers.map(({ logIndex }) => logIndex);
  await sql`DELETE FROM incoming_transfer t WHERE t.chain_id = ${chainId} AND NOT EXISTS (
    SELECT FROM unnest(${hashes}::text[], ${indexes}::integer[]) AS n (hash, place)
    WHERE n.hash = t.transaction_hash AND n.place = t.log_index)`.execute(tx.sql);
  if (transfers.length === 0) return;
  await sql`INSERT INTO incoming_transfer (chain_id, transaction_hash, log_index, trader_id, block_number, amount_units)
    SELECT ${chainId}, n.hash, n.place, n.trader_id, n.block, n.units FROM unnest(${hashes}::text[], ${indexes}::integer[],
      ${transfers.map(({ to }) => owners.get(to.toLowerCase()))}::uuid[],
      ${transfers.map(({ block }) => block.number.toString())}::bigint[],
      ${transfers.map(({ units }) => units.toString())}::numeric[]) AS n (hash, place, trader_id, block, units)
    JOIN trader r ON r.id = n.trader_id
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}
