import { type FreezeReason, REVIEWED, TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Transfer } from '../../../core/transfers/transfer.ts';
import type { WriteTx } from '../../../platform/db/database.ts';

export interface LockedWallet {
  id: string;
  address: string;
  frozenBecause: string | null;
  nextNonce: string;
}

export async function findWalletForUpdate(tx: WriteTx, id: string): Promise<LockedWallet | null> {
  const { rows } = await sql<LockedWallet>`
    SELECT w.id, w.address, w.frozen_because AS "frozenBecause", w.next_nonce::text AS "nextNonce"
    FROM chain_wallet w WHERE w.id = ${id} FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * Unfreezes a wallet. It continues at the chain's nonce and after all nonces that it has signed. Earlier differences
 * are accepted.
 * @returns its next nonce
 */
export async function unfreeze(tx: WriteTx, id: string): Promise<string> {
  const { rows } = await sql<{
    next_nonce: string;
  }>`SELECT app.unfreeze_wallet(${id})::text AS next_nonce`.execute(tx.sql);
  return rows[0]?.next_nonce ?? '0';
}

/**
 * A transfer whose nonce is spent on chain although no transaction of ours was found, or whose transaction moved
 * nothing.
 */
export interface SuspectedTransfer {
  id: string;
  kind: Transfer['kind'];
  subjectId: string | null;
  to: string;
  units: string;
  problem: string;
}

/** Communities with payouts among the suspected transfers of a wallet. */
export async function listSuspectedCommunities(tx: WriteTx, walletId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT i.community_id AS id FROM transfer i
    WHERE i.wallet_id = ${walletId} AND i.community_id IS NOT NULL AND ${isSuspected}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** Suspected transfers of a wallet, locked until the transaction ends. */
export async function lockSuspected(tx: WriteTx, walletId: string): Promise<SuspectedTransfer[]> {
  const { rows } = await sql<SuspectedTransfer>`
    SELECT i.id, i.kind, i.payout_id AS "subjectId", i.to_address AS to, i.amount_units::text AS units, i.problem
    FROM transfer i WHERE i.wallet_id = ${walletId} AND ${isSuspected}
    ORDER BY i.id FOR NO KEY UPDATE`.execute(tx.sql);
  return rows;
}

/** Excludes transfers with another effect than intended, which need more than a review. */
const isSuspected = sql`i.state = ${sql.lit(TRANSFER_MOVES.cancelled.from)}
  AND i.problem IN (${sql.join(Object.keys(REVIEWED).map((problem) => sql.lit(problem)))})`;

/** Ends them without a receipt and keeps their suspicion. */
export async function endSuspected(
  tx: WriteTx,
  ids: readonly string[],
  state: 'cancelled' | 'reverted',
): Promise<void> {
  await sql`SELECT app.end_suspected(${[...ids]}::uuid[], ${state})`.execute(tx.sql);
}

/** Freezes every wallet, as after a restore. @returns how many were not frozen before */
export async function freezeEvery(tx: WriteTx, because: FreezeReason, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE chain_wallet SET frozen_because = ${because}, frozen_at = ${at} WHERE frozen_because IS NULL`.execute(
    tx.sql,
  );
  return Number(numAffectedRows ?? 0);
}
