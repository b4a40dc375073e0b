import { sql } from 'kysely';
import type { TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

// The worker's own, in the scope of everything.

/** Which token on which chain. The address is in lower case. */
export interface Token {
  chainId: number;
  tokenAddress: string;
}

export interface Cursor {
  blockNumber: bigint;
  blockHash: string;
  stoppedBecause: string | null;
}

export async function findCursor(tx: Tx, { chainId, tokenAddress }: Token): Promise<Cursor | null> {
  const { rows } = await sql<{ number: string; hash: string; stopped_because: string | null }>`
    SELECT block_number::text AS number, block_hash AS hash, stopped_because FROM chain_cursor
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
  const [row] = rows;
  return row
    ? { blockNumber: BigInt(row.number), blockHash: row.hash, stoppedBecause: row.stopped_because }
    : null;
}

/** Where reading begins; what is there already stays. */
export async function beginCursor(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  block: { number: bigint; hash: string },
): Promise<void> {
  await sql`
    INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
    VALUES (${chainId}, ${tokenAddress}, ${block.number.toString()}, ${block.hash})
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}

/** Moves the cursor on from where the caller saw it; false when another worker was faster. */
export async function moveCursor(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  from: bigint,
  to: { number: bigint; hash: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE chain_cursor SET block_number = ${to.number.toString()}, block_hash = ${to.hash}, updated_at = now()
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND block_number = ${from.toString()}
      AND stopped_because IS NULL`.execute(tx.sql);
  return numAffectedRows === 1n;
}

export async function stopCursor(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  because: string,
): Promise<void> {
  await sql`
    UPDATE chain_cursor SET stopped_because = ${because}, updated_at = now()
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND stopped_because IS NULL`.execute(
    tx.sql,
  );
}

/** Traders by their deposit address in lower case. */
export async function listDepositAddresses(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, lower(deposit_address) AS address FROM trader WHERE deposit_address IS NOT NULL`.execute(
    tx.sql,
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}

export interface NewDeposit {
  id: string;
  traderId: string;
  transactionHash: string;
  units: bigint;
}

/** Writes transfers down, and answers those that were not known already, in the order of the chain. */
export async function insertDeposits(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  transfers: readonly (TokenTransfer & { traderId: string })[],
): Promise<NewDeposit[]> {
  if (transfers.length === 0) return [];
  const { rows } = await sql<{ id: string; trader_id: string; transaction_hash: string; units: string }>`
    WITH inserted AS (
      INSERT INTO deposit (chain_id, token_address, transaction_hash, log_index, block_number, block_hash,
        from_address, to_address, amount_units, trader_id)
      SELECT ${chainId}, ${tokenAddress}, *
      FROM unnest(${transfers.map(({ transactionHash }) => transactionHash)}::text[],
        ${transfers.map(({ logIndex }) => logIndex)}::integer[],
        ${transfers.map(({ block }) => block.number.toString())}::bigint[],
        ${transfers.map(({ block }) => block.hash)}::text[],
        ${transfers.map(({ from }) => from)}::text[], ${transfers.map(({ to }) => to)}::text[],
        ${transfers.map(({ units }) => units.toString())}::numeric[],
        ${transfers.map(({ traderId }) => traderId)}::uuid[])
      ON CONFLICT (chain_id, transaction_hash, log_index) DO NOTHING
      RETURNING id, trader_id, transaction_hash, amount_units, block_number, log_index)
    SELECT id, trader_id, transaction_hash, amount_units::text AS units FROM inserted
    ORDER BY block_number, log_index`.execute(tx.sql);
  return rows.map((row) => ({
    id: row.id,
    traderId: row.trader_id,
    transactionHash: row.transaction_hash,
    units: BigInt(row.units),
  }));
}

export async function setPayments(
  tx: WriteTx,
  payments: readonly { depositId: string; paymentId: string }[],
): Promise<void> {
  await sql`
    UPDATE deposit d SET payment_id = p.payment_id
    FROM unnest(${payments.map(({ depositId }) => depositId)}::uuid[],
      ${payments.map(({ paymentId }) => paymentId)}::uuid[]) AS p (deposit_id, payment_id)
    WHERE d.id = p.deposit_id`.execute(tx.sql);
}
