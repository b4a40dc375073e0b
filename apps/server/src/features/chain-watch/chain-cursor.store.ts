import { sql } from 'kysely';
import type { Token } from '../../core/chain/transfer-receiver.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

// How far the chain is read. The worker's own, in the scope of everything.

export interface Cursor {
  blockNumber: bigint;
  blockHash: string;
  /** Why reading stands still; null while it goes on. */
  stoppedBecause: string | null;
  /** Reading goes on only after a person has cleared the reason. */
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
    UPDATE chain_cursor SET block_number = ${to.number.toString()}, block_hash = ${to.hash}, updated_at = now(),
      stopped_because = NULL
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND block_number = ${from.toString()}
      AND NOT needs_review`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Says why reading stands still. A reason that needs review is not replaced by another. */
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

/** Reading goes on: whatever kept it has passed. */
export async function clearStop(tx: WriteTx, { chainId, tokenAddress }: Token): Promise<void> {
  await sql`
    UPDATE chain_cursor SET stopped_because = NULL, updated_at = now()
    WHERE chain_id = ${chainId} AND token_address = ${tokenAddress} AND NOT needs_review`.execute(tx.sql);
}

/**
 * A person lets reading go on from where it stopped: the next look compares the block again, and stops again while the
 * chain still has another one.
 * @returns why it had stopped; null when it does not wait for a person
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
