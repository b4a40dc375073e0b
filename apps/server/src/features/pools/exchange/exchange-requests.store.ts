import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { PoolKeyRow } from '../keys/pool-key-box.ts';

/** What is asked of the exchange of a pool: about a new key, the stored one, or the account. */
export type PoolQuestion =
  | {
      kind: 'connection';
      poolId: string;
      communityId: string;
      key: [apiKey: PoolKeyRow, secretKey: PoolKeyRow];
    }
  | { kind: 'replacement'; poolId: string; key: [apiKey: PoolKeyRow, secretKey: PoolKeyRow] }
  | { kind: 'description' | 'check' | 'withdrawal' | 'address'; poolId: string };

/** What the exchange says about a key, as stored: no secret. */
export interface DescribedAccount {
  ips: string[];
  permissions: string[];
  isMaster: boolean;
  /** ms since 1970 */
  expiresAt: number | null;
  /** ms since 1970 */
  readAt: number;
}

export interface PoolAnswer {
  account: DescribedAccount | null;
  uid: string | null;
  /** The exchange's regional platform that knows a new key; null: its main one. */
  region: string | null;
  /** The deposit address of the account; null: its key may not read it. */
  address: string | null;
  /** Why the key must not be a pool's. */
  refusal: string | null;
  /** Why the exchange did not answer. */
  problem: { code: string; isRetryable: boolean } | null;
}

/** A question that a worker has taken. */
export interface TakenQuestion {
  id: string;
  kind: PoolQuestion['kind'];
  poolId: string;
  /** The parts of a new key. */
  apiKey: Buffer | null;
  secretKey: Buffer | null;
  recipient: string | null;
}

/** @param id of the question, which its answer is found by */
export async function insertQuestion(tx: WriteTx, id: string, question: PoolQuestion): Promise<void> {
  const [api, secret] = 'key' in question ? question.key : [];
  await sql`
    INSERT INTO pool_exchange_request (id, kind, pooled_account_id, community_id, api_key, secret_key, recipient,
      api_key_fingerprint, secret_key_fingerprint)
    VALUES (${id}, ${question.kind}, ${question.poolId},
      ${question.kind === 'connection' ? question.communityId : null}, ${api?.ciphertext ?? null},
      ${secret?.ciphertext ?? null}, ${api?.recipient ?? null}, ${api?.fingerprint ?? null},
      ${secret?.fingerprint ?? null})`.execute(tx.sql);
}

/** Null: there is no answer yet. */
export async function findAnswer(tx: Tx, id: string): Promise<PoolAnswer | null> {
  const { rows } = await sql<Omit<PoolAnswer, 'problem'> & { code: string | null; isRetryable: boolean }>`
    SELECT r.account, r.uid, r.region, r.address, r.refusal, r.problem AS code, r.is_retryable AS "isRetryable"
    FROM pool_exchange_request r WHERE r.id = ${id} AND r.answered_at IS NOT NULL`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { code, isRetryable, ...answer } = row;
  return { ...answer, problem: code === null ? null : { code, isRetryable } };
}

/**
 * Takes some questions whose callers still wait, oldest first. After `leaseSeconds` another worker takes them
 * over; two answers to one question do no harm, and the first stays.
 */
export async function takeQuestions(
  tx: WriteTx,
  limit: number,
  { waitedSeconds, leaseSeconds }: { waitedSeconds: number; leaseSeconds: number },
): Promise<TakenQuestion[]> {
  const { rows } = await sql<TakenQuestion>`
    UPDATE pool_exchange_request r SET claimed_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE r.id IN (SELECT q.id FROM pool_exchange_request q WHERE q.answered_at IS NULL
      AND q.requested_at > now() - make_interval(secs => ${waitedSeconds})
      AND (q.claimed_until IS NULL OR q.claimed_until < now())
      ORDER BY q.requested_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING r.id, r.kind, r.pooled_account_id AS "poolId", r.api_key AS "apiKey", r.secret_key AS "secretKey",
      r.recipient`.execute(tx.sql);
  return rows;
}

export async function saveAnswer(tx: WriteTx, id: string, answer: Partial<PoolAnswer>): Promise<void> {
  const {
    account = null,
    uid = null,
    region = null,
    address = null,
    refusal = null,
    problem = null,
  } = answer;
  await sql`UPDATE pool_exchange_request SET answered_at = now(),
      account = ${account === null ? null : JSON.stringify(account)}::jsonb, uid = ${uid}, region = ${region}, address = ${address},
      refusal = ${refusal}, problem = ${problem?.code ?? null}, is_retryable = ${problem?.isRetryable ?? null}
    WHERE id = ${id} AND answered_at IS NULL`.execute(tx.sql);
}

export async function deleteOldQuestions(tx: WriteTx): Promise<void> {
  await sql`DELETE FROM pool_exchange_request WHERE requested_at < now() - interval '15 minutes'`.execute(
    tx.sql,
  );
}
