import { sql } from 'kysely';
import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// How far the chain is read. For the worker only, which runs in the scope of everything.

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
  block: { number: bigint; hash: string; madeAt?: Date },
): Promise<void> {
  await sql`
    INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash, first_block, reread_to, block_made_at)
    VALUES (${chainId}, ${tokenAddress}, ${block.number.toString()}, ${block.hash}, ${block.number.toString()},
      ${block.number.toString()}, ${block.madeAt ?? null})
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}

/** Advances the cursor from the position that the caller read; false when another worker was faster. */
export async function moveCursor(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  from: bigint,
  to: { number: bigint; hash: string; madeAt?: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE chain_cursor SET block_number = ${to.number.toString()}, block_hash = ${to.hash}, updated_at = now(),
      stopped_because = NULL, block_made_at = coalesce(${to.madeAt ?? null}, block_made_at)
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

/** The last block of the reading, and of the nightly second one. */
export async function findRereadTo(
  tx: Tx,
  { chainId, tokenAddress }: Token,
): Promise<{ readTo: bigint; rereadTo: bigint } | null> {
  const { rows } = await sql<{ read_to: string; reread_to: string }>`
    SELECT block_number::text AS read_to, coalesce(reread_to, block_number)::text AS reread_to FROM chain_cursor
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
  return rows[0] ? { readTo: BigInt(rows[0].read_to), rereadTo: BigInt(rows[0].reread_to) } : null;
}

/** Notes how far the second reading is. */
export async function recordReread(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  blockNumber: bigint,
): Promise<void> {
  await sql`UPDATE chain_cursor SET reread_to = ${blockNumber.toString()}
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress}`.execute(tx.sql);
}
