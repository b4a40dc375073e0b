import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import type { Transfer } from './transfer.ts';

// Transfers, for features that order and cancel them. The engine does the rest.

/** A transfer to order. Units are base units of the token. */
export interface NewTransfer extends Pick<Transfer, 'id' | 'kind' | 'to' | 'units' | 'subjectId'> {
  walletId: string;
  communityId: string;
  token: string;
}

/** Orders transfers, which are signed as soon as they are ready. */
export async function orderTransfers(tx: WriteTx, transfers: readonly NewTransfer[]): Promise<void> {
  const column = <K extends keyof NewTransfer>(key: K) => transfers.map((each) => each[key]);
  await sql`
    INSERT INTO transfer (id, kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units)
    SELECT * FROM unnest(${column('id')}::uuid[], ${column('kind')}::text[], ${column('walletId')}::uuid[],
      ${column('communityId')}::uuid[], ${column('subjectId')}::uuid[], ${column('to')}::text[],
      ${column('token')}::text[], ${transfers.map(({ units }) => units.toString())}::numeric[])`.execute(
    tx.sql,
  );
}

/** Voids unsigned transfers of these subjects. @returns how many */
export async function voidPlanned(tx: WriteTx, subjectIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE transfer SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
    WHERE payout_id = ANY (${[...subjectIds]}::uuid[]) AND state = 'planned'`.execute(tx.sql);
  return Number(numAffectedRows ?? 0n);
}

/** Requests the cancellation of a sent transfer, which spends its nonce on an empty transaction. */
export async function askCancel(tx: WriteTx, subjectId: string): Promise<void> {
  await sql`UPDATE transfer SET is_cancel_asked = true
    WHERE payout_id = ${subjectId} AND state = 'sent'`.execute(tx.sql);
}

/**
 * Voids those of these transfers that are not signed and cannot be: the chain or a limit refuses them, or their wallet is
 * frozen. Those that only wait for gas stay. @returns the ids of those that were voided
 */
export async function voidUnsignable(tx: WriteTx, transferIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE transfer t SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
    FROM chain_wallet w WHERE w.id = t.wallet_id AND t.id = ANY (${[...transferIds]}::uuid[]) AND t.state = 'planned'
      AND (w.frozen_because IS NOT NULL OR t.problem <> 'waits_for_gas') RETURNING t.id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
