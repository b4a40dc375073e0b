import { sql } from 'kysely';
import type { TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** A token on a chain. The address is in lower case. */
export interface Token {
  chainId: number;
  tokenAddress: string;
}

export interface Cursor {
  blockNumber: bigint;
  blockHash: string;
  /** Why reading has stopped; null while it runs. */
  stoppedBecause: string | null;
  /** Reading resumes only after an operator has cleared the reason. */
  needsReview: boolean;
}

export async function findCursor(tx: Tx, { chainId, tokenAddress }: Token): Promise<Cursor | null> {
  const { rows } = await sql<{
    number: string;
    hash: string;
    stopped_because: string | null;
    needs_review: boolean;
  }>`
    SELECT block_number::text AS number, block_hash AS hash, stopped_because, needs_review FROM chain_cursor
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
  const [row] = rows;
  return row
    ? {
        blockNumber: BigInt(row.number),
        blockHash: row.hash,
        stoppedBecause: row.stopped_because,
        needsReview: row.needs_review,
      }
    : null;
}

/** Sets the cursor at which reading begins, unless there is one. */
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

/** Advances the cursor from the position that the caller read; false when another worker was faster. */
export async function moveCursor(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  from: bigint,
  to: { number: bigint; hash: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE chain_cursor SET block_number = ${to.number.toString()}, block_hash = ${to.hash}, updated_at = now(),
      stopped_because = NULL
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND block_number = ${from.toString()}
      AND NOT needs_review`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Notes why reading has stopped. A reason that needs review is not replaced. */
export async function stopCursor(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  { because, needsReview }: { because: string; needsReview: boolean },
): Promise<void> {
  await sql`
    UPDATE chain_cursor SET stopped_because = ${because}, needs_review = ${needsReview}, updated_at = now()
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND NOT needs_review
      AND stopped_because IS DISTINCT FROM ${because}`.execute(tx.sql);
}

/** Clears the reason when reading resumes. */
export async function clearStop(tx: WriteTx, { chainId, tokenAddress }: Token): Promise<void> {
  await sql`
    UPDATE chain_cursor SET stopped_because = NULL, updated_at = now()
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND NOT needs_review`.execute(tx.sql);
}

/**
 * Resumes reading where it stopped. The next turn compares the block again, and stops again while the chain still has a
 * different one.
 * @returns the reason of the stop; null when it does not wait for review
 */
export async function resumeReading(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
): Promise<{ because: string; blockNumber: number } | null> {
  const { rows } = await sql<{ because: string; number: number }>`
    UPDATE chain_cursor c SET stopped_because = NULL, needs_review = false, updated_at = now()
    FROM (SELECT stopped_because FROM chain_cursor
      WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} FOR UPDATE) before
    WHERE c.chain_id = ${chainId} AND c.token_address = ${tokenAddress} AND c.needs_review
    RETURNING before.stopped_because AS because, c.block_number::int AS number`.execute(tx.sql);
  const [row] = rows;
  return row ? { because: row.because, blockNumber: row.number } : null;
}

/** Traders by their deposit address in lower case. */
export async function listDepositAddresses(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, lower(deposit_address) AS address FROM trader WHERE deposit_address IS NOT NULL`.execute(
    tx.sql,
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}

/** A transfer to the deposit address of a trader. */
export type FoundTransfer = TokenTransfer & { traderId: string };

export interface NewDeposit {
  id: string;
  traderId: string;
  transactionHash: string;
  units: bigint;
}

/** Inserts transfers and returns the new ones, in the order of the chain. */
export async function insertDeposits(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  transfers: readonly FoundTransfer[],
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

/** Why a transfer is not booked. */
export type SetAsideReason = 'amount_too_large' | 'cannot_be_booked';

/** Stores a transfer that the books cannot take, for review; false when it was already stored. */
export async function setAside(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  { transactionHash, logIndex, block, from, to, units, traderId }: FoundTransfer,
  reason: SetAsideReason,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO deposit_set_aside (chain_id, token_address, transaction_hash, log_index, block_number, block_hash,
      from_address, to_address, amount_units, trader_id, reason)
    VALUES (${chainId}, ${tokenAddress}, ${transactionHash}, ${logIndex}, ${block.number.toString()}, ${block.hash},
      ${from}, ${to}, ${units.toString()}, ${traderId}, ${reason})
    ON CONFLICT (chain_id, transaction_hash, log_index) DO NOTHING`.execute(tx.sql);
  return numAffectedRows === 1n;
}
