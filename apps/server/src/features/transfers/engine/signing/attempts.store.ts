import type { SendRefusal } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Fee } from '../../../../integrations/chain/chain-sender.ts';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';

// Attempts: the signed transactions of transfers, whose bytes are stored before they are sent.

export interface SignedTransfer {
  transferId: string;
  nonce: number;
  attempt: number;
  isCancel: boolean;
  hash: string;
  raw: string;
  fee: Fee;
  gasLimit: bigint;
}

/** Stores signed bytes; from here on only these bytes are sent. */
export async function insertSigned(
  tx: WriteTx,
  walletId: string,
  signed: readonly SignedTransfer[],
  at: Date,
): Promise<void> {
  const column = <K extends keyof SignedTransfer>(key: K) => signed.map((each) => each[key]);
  await sql`
    INSERT INTO transfer_attempt (transfer_id, wallet_id, nonce, attempt, is_cancel, hash, raw, max_fee_wei, priority_fee_wei,
      gas_limit, created_at)
    SELECT n.transfer_id, ${walletId}::uuid, n.nonce, n.attempt, n.is_cancel, n.hash, n.raw, n.max_fee, n.priority_fee,
      n.gas_limit, ${at}
    FROM unnest(${column('transferId')}::uuid[], ${column('nonce')}::bigint[], ${column('attempt')}::int[],
      ${column('isCancel')}::boolean[], ${column('hash')}::text[], ${column('raw')}::text[],
      ${signed.map(({ fee }) => fee.maxFee.toString())}::numeric[],
      ${signed.map(({ fee }) => fee.priorityFee.toString())}::numeric[],
      ${signed.map(({ gasLimit }) => gasLimit.toString())}::bigint[])
      AS n (transfer_id, nonce, attempt, is_cancel, hash, raw, max_fee, priority_fee, gas_limit)`.execute(
    tx.sql,
  );
}

export async function countAttempts(tx: WriteTx, transferId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM transfer_attempt WHERE transfer_id = ${transferId}`.execute(tx.sql);
  return rows[0]?.count ?? 0;
}

/** Signed bytes by their hash, with their tip and whether they cancel a transfer. */
export async function findRaw(
  tx: Tx,
  hashes: readonly string[],
): Promise<Map<string, { raw: `0x${string}`; tip: bigint; isCancel: boolean }>> {
  const { rows } = await sql<{ hash: string; raw: `0x${string}`; tip: string; isCancel: boolean }>`
    SELECT hash, raw, is_cancel AS "isCancel", priority_fee_wei::text AS tip FROM transfer_attempt
    WHERE hash = ANY (${[...hashes]}::text[])`.execute(tx.sql);
  return new Map(rows.map(({ hash, raw, tip, isCancel }) => [hash, { raw, tip: BigInt(tip), isCancel }]));
}

export async function recordBroadcast(tx: WriteTx, hashes: readonly string[], at: Date): Promise<void> {
  await sql`
    UPDATE transfer_attempt SET broadcast_at = ${at}, refusal = NULL, refusal_detail = NULL, refused_at = NULL, refusals = 0
    WHERE hash = ANY (${[...hashes]}::text[])`.execute(tx.sql);
}

/** An attempt that no server took. */
export interface RefusedAttempt {
  hash: string;
  refusal: SendRefusal;
  /** The words of a server. */
  detail: string;
}

export async function recordRefusals(
  tx: WriteTx,
  refused: readonly RefusedAttempt[],
  at: Date,
): Promise<void> {
  await sql`
    UPDATE transfer_attempt t SET refusal = n.refusal, refusal_detail = n.detail, refused_at = ${at},
      refusals = t.refusals + 1
    FROM unnest(${refused.map(({ hash }) => hash)}::text[], ${refused.map(({ refusal }) => refusal)}::text[],
      ${refused.map(({ detail }) => detail)}::text[]) AS n (hash, refusal, detail)
    WHERE t.hash = n.hash`.execute(tx.sql);
}
