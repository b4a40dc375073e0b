import type { FreezeReason, PayoutProblem, TransferState } from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Fee, FinalReceipt } from '../../../integrations/chain/chain-sender.ts';
import type { WalletPlace } from '../../../integrations/chain/wallet-keys.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// Transfers, and the transactions that were signed for them. The worker's own, in the scope of everything.

export interface Wallet extends WalletPlace {
  id: string;
  ownerId: string;
  address: string;
}

/** What is to be transferred. Units are base units of the token, or wei where there is none. */
export interface Transfer {
  id: string;
  kind: 'gas_topup' | 'consolidate' | 'distribute';
  to: string;
  token: string | null;
  units: bigint;
  communityId: string | null;
  operationId: string | null;
}

/** A transfer that may be signed. */
export interface ReadyTransfer extends Transfer {
  /** Which of our wallets it goes to; null: to somebody else. */
  toWallet: WalletPlace | null;
}

/** A transaction that was signed and stored. */
export interface Attempt {
  hash: `0x${string}`;
  attempt: number;
  isCancel: boolean;
  fee: Fee;
  gasLimit: bigint;
  createdAt: Date;
  broadcastAt: Date | null;
}

export interface SentTransfer extends Transfer {
  wallet: Wallet;
  isFrozen: boolean;
  nonce: number;
  isCancelAsked: boolean;
  /** What a person has to look at, as it was noted. */
  problem: string | null;
  /** Oldest first; all have the one nonce, so that one of them can count at most. */
  attempts: Attempt[];
}

/** A transfer whose nonce was spent in a final block. */
export interface EndedTransfer {
  transfer: SentTransfer;
  /** The one of its attempts that was mined. */
  attempt: Attempt;
  receipt: FinalReceipt;
  state: 'final' | 'reverted' | 'cancelled';
}

interface TransferRow {
  id: string;
  kind: Transfer['kind'];
  to_address: string;
  token_address: string | null;
  units: string;
  community_id: string | null;
  sweep_operation_id: string | null;
}
interface WalletRow {
  wallet_id: string;
  role: Wallet['role'];
  owner_id: string;
  key_index: number;
  address: string;
}

const transferColumns = sql`i.id, i.kind, i.to_address, i.token_address, i.amount_units::text AS units,
  i.community_id, i.sweep_operation_id`;
const walletColumns = sql`w.id AS wallet_id, w.role, w.owner_id, w.key_index, w.address`;

const transferOf = (row: TransferRow): Transfer => ({
  id: row.id,
  kind: row.kind,
  to: row.to_address,
  token: row.token_address,
  units: BigInt(row.units),
  communityId: row.community_id,
  operationId: row.sweep_operation_id,
});
const walletOf = (row: WalletRow): Wallet => ({
  id: row.wallet_id,
  role: row.role,
  ownerId: row.owner_id,
  keyIndex: row.key_index,
  address: row.address,
});

/**
 * Transfers that were signed and are not known to be final, the next ones of each wallet first: one that waits for a
 * person, or has more to send than others, holds up nobody.
 */
export async function listSent(tx: Tx, chainId: number, limit: number): Promise<SentTransfer[]> {
  const { rows } = await sql<
    TransferRow &
      WalletRow & {
        is_frozen: boolean;
        nonce: string;
        is_cancel_asked: boolean;
        problem: string | null;
        attempts: {
          hash: `0x${string}`;
          attempt: number;
          is_cancel: boolean;
          max_fee: string;
          priority_fee: string;
          gas_limit: string;
          created_at: string;
          broadcast_at: string | null;
        }[];
      }
  >`
    SELECT ${transferColumns}, ${walletColumns}, w.frozen_because IS NOT NULL AS is_frozen, i.nonce::text AS nonce,
      i.is_cancel_asked, i.problem, a.attempts
    FROM (
      SELECT s.id, w.frozen_because IS NOT NULL AS is_last,
        row_number() OVER (PARTITION BY s.wallet_id ORDER BY s.nonce) AS place
      FROM chain_intent s JOIN chain_wallet w ON w.id = s.wallet_id AND w.chain_id = ${chainId}
      WHERE s.state = 'sent' ORDER BY is_last, place, s.wallet_id LIMIT ${limit}) looked
    JOIN chain_intent i ON i.id = looked.id
    JOIN chain_wallet w ON w.id = i.wallet_id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('hash', t.hash, 'attempt', t.attempt, 'is_cancel', t.is_cancel,
        'max_fee', t.max_fee_wei::text, 'priority_fee', t.priority_fee_wei::text, 'gas_limit', t.gas_limit::text,
        'created_at', app.iso(t.created_at), 'broadcast_at', app.iso(t.broadcast_at)) ORDER BY t.attempt) AS attempts
      FROM chain_tx t WHERE t.intent_id = i.id) a
    ORDER BY looked.is_last, looked.place, i.wallet_id`.execute(tx.sql);
  return rows.map((row) => ({
    ...transferOf(row),
    wallet: walletOf(row),
    isFrozen: row.is_frozen,
    nonce: Number(row.nonce),
    isCancelAsked: row.is_cancel_asked,
    problem: row.problem,
    attempts: row.attempts.map((each) => ({
      hash: each.hash,
      attempt: each.attempt,
      isCancel: each.is_cancel,
      fee: { maxFee: BigInt(each.max_fee), priorityFee: BigInt(each.priority_fee) },
      gasLimit: BigInt(each.gas_limit),
      createdAt: new Date(each.created_at),
      broadcastAt: each.broadcast_at === null ? null : new Date(each.broadcast_at),
    })),
  }));
}

/**
 * What leaves the community's wallet has to have come into it first, in final blocks; and a payout that failed waits for a
 * person, whatever came in for it meanwhile.
 */
const isReady = (at: Date) => sql`i.state = 'planned' AND (i.retry_at IS NULL OR i.retry_at <= ${at})
  AND (i.kind <> 'distribute' OR (
    EXISTS (SELECT FROM sweep_operation o WHERE o.id = i.sweep_operation_id AND o.status <> 'failed')
    AND NOT EXISTS (
      SELECT FROM payable p JOIN chain_intent c ON c.id = p.consolidation_id
      WHERE p.sweep_operation_id = i.sweep_operation_id AND c.state <> 'final')))`;

/** Wallets that are not frozen and have something to sign: that which waits longest first. */
export async function listWalletsToSign(
  tx: Tx,
  { chainId, at, limit }: { chainId: number; at: Date; limit: number },
): Promise<Wallet[]> {
  const { rows } = await sql<WalletRow>`
    SELECT ${walletColumns}
    FROM chain_wallet w
    JOIN (SELECT i.wallet_id, min(i.created_at) AS since FROM chain_intent i WHERE ${isReady(at)}
          GROUP BY i.wallet_id) ready ON ready.wallet_id = w.id
    WHERE w.frozen_because IS NULL AND w.chain_id = ${chainId}
    ORDER BY ready.since, w.id LIMIT ${limit}`.execute(tx.sql);
  return rows.map(walletOf);
}

/** The next transfers of a wallet to sign, oldest first. */
export async function listReady(tx: Tx, walletId: string, at: Date, limit: number): Promise<ReadyTransfer[]> {
  const { rows } = await sql<TransferRow & { to_wallet: WalletPlace | null }>`
    SELECT ${transferColumns}, (SELECT json_build_object('role', t.role, 'keyIndex', t.key_index)
      FROM chain_wallet t JOIN chain_wallet w ON w.id = i.wallet_id AND w.chain_id = t.chain_id
      WHERE lower(t.address) = lower(i.to_address)) AS to_wallet
    FROM chain_intent i WHERE i.wallet_id = ${walletId} AND ${isReady(at)}
    ORDER BY i.created_at, i.id LIMIT ${limit}`.execute(tx.sql);
  return rows.map((row) => ({ ...transferOf(row), toWallet: row.to_wallet }));
}

/**
 * The nonce that a wallet hands out next, and the coin that its transactions may still take.
 * @param mined how many of its transactions the chain has mined: those have taken theirs
 * @returns `firstNonce`: below it the chain may have transactions that we do not know; `isNextSent`: whether what the
 *   chain waits for was signed
 */
export async function findWalletLoad(
  tx: Tx,
  walletId: string,
  mined: number,
): Promise<{ nextNonce: number; firstNonce: number; isNextSent: boolean; committedWei: bigint }> {
  const { rows } = await sql<{
    next_nonce: string;
    first_nonce: string;
    is_next_sent: boolean;
    committed: string;
  }>`
    SELECT w.next_nonce::text AS next_nonce, w.first_nonce::text AS first_nonce,
      EXISTS (SELECT FROM chain_intent i WHERE i.wallet_id = w.id AND i.state = 'sent' AND i.nonce = ${mined})
        AS is_next_sent, (
      SELECT coalesce(sum(t.max_fee_wei * t.gas_limit
        + CASE WHEN i.token_address IS NULL THEN i.amount_units ELSE 0 END), 0)::text
      FROM chain_intent i
      CROSS JOIN LATERAL (SELECT max_fee_wei, gas_limit FROM chain_tx WHERE intent_id = i.id
        ORDER BY attempt DESC LIMIT 1) t
      WHERE i.wallet_id = w.id AND i.state = 'sent' AND i.nonce >= ${mined}) AS committed
    FROM chain_wallet w WHERE w.id = ${walletId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`there is no wallet ${walletId}`);
  return {
    nextNonce: Number(row.next_nonce),
    firstNonce: Number(row.first_nonce),
    isNextSent: row.is_next_sent,
    committedWei: BigInt(row.committed),
  };
}

export interface LockedWallet {
  nextNonce: number;
  isFrozen: boolean;
}

/** Locks a wallet until the transaction ends; null when somebody else has it. */
export async function lockWallet(tx: WriteTx, walletId: string): Promise<LockedWallet | null> {
  const { rows } = await sql<{ next_nonce: string; is_frozen: boolean }>`
    SELECT next_nonce::text AS next_nonce, frozen_because IS NOT NULL AS is_frozen
    FROM chain_wallet WHERE id = ${walletId} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx.sql);
  const [row] = rows;
  return row ? { nextNonce: Number(row.next_nonce), isFrozen: row.is_frozen } : null;
}

/** Which of these are still in a state, in the order of the ids given; locked until the transaction ends. */
export async function lockTransfers(
  tx: WriteTx,
  ids: readonly string[],
  state: TransferState,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM chain_intent WHERE id = ANY (${[...ids]}::uuid[]) AND state = ${state}
    ORDER BY id FOR NO KEY UPDATE`.execute(tx.sql);
  return new Set(rows.map(({ id }) => id));
}

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

/** Stores what was signed; from here on only these bytes are sent. */
export async function insertSigned(
  tx: WriteTx,
  walletId: string,
  signed: readonly SignedTransfer[],
  at: Date,
): Promise<void> {
  const column = <K extends keyof SignedTransfer>(key: K) => signed.map((each) => each[key]);
  await sql`
    INSERT INTO chain_tx (intent_id, wallet_id, nonce, attempt, is_cancel, hash, raw, max_fee_wei, priority_fee_wei,
      gas_limit, created_at)
    SELECT n.intent_id, ${walletId}::uuid, n.nonce, n.attempt, n.is_cancel, n.hash, n.raw, n.max_fee, n.priority_fee,
      n.gas_limit, ${at}
    FROM unnest(${column('transferId')}::uuid[], ${column('nonce')}::bigint[], ${column('attempt')}::int[],
      ${column('isCancel')}::boolean[], ${column('hash')}::text[], ${column('raw')}::text[],
      ${signed.map(({ fee }) => fee.maxFee.toString())}::numeric[],
      ${signed.map(({ fee }) => fee.priorityFee.toString())}::numeric[],
      ${signed.map(({ gasLimit }) => gasLimit.toString())}::bigint[])
      AS n (intent_id, nonce, attempt, is_cancel, hash, raw, max_fee, priority_fee, gas_limit)`.execute(
    tx.sql,
  );
}

/** Gives transfers their nonces, which the wallet has handed out then. */
export async function takeNonces(
  tx: WriteTx,
  walletId: string,
  taken: readonly { transferId: string; nonce: number }[],
  at: Date,
): Promise<void> {
  await sql`
    UPDATE chain_intent i SET state = 'sent', nonce = n.nonce, sent_at = ${at}, problem = NULL, problem_detail = NULL,
      retry_at = NULL
    FROM unnest(${taken.map(({ transferId }) => transferId)}::uuid[], ${taken.map(({ nonce }) => nonce)}::bigint[])
      AS n (id, nonce)
    WHERE i.id = n.id AND i.state = 'planned'`.execute(tx.sql);
  await sql`
    UPDATE chain_wallet SET next_nonce = next_nonce + ${taken.length} WHERE id = ${walletId}`.execute(tx.sql);
}

/** Signed bytes by their hash. */
export async function findRaw(tx: Tx, hashes: readonly string[]): Promise<Map<string, `0x${string}`>> {
  const { rows } = await sql<{ hash: string; raw: `0x${string}` }>`
    SELECT hash, raw FROM chain_tx WHERE hash = ANY (${[...hashes]}::text[])`.execute(tx.sql);
  return new Map(rows.map(({ hash, raw }) => [hash, raw]));
}

export async function noteBroadcast(tx: WriteTx, hashes: readonly string[], at: Date): Promise<void> {
  await sql`UPDATE chain_tx SET broadcast_at = ${at} WHERE hash = ANY (${[...hashes]}::text[])`.execute(
    tx.sql,
  );
}

export interface Problem {
  transferId: string;
  problem: PayoutProblem;
  detail: string | null;
}

/** Says why transfers do not go on yet, and when they are looked at again. */
export async function noteProblems(tx: WriteTx, problems: readonly Problem[], retryAt: Date): Promise<void> {
  await sql`
    UPDATE chain_intent i SET problem = n.problem, problem_detail = n.detail, retry_at = ${retryAt}
    FROM unnest(${problems.map(({ transferId }) => transferId)}::uuid[], ${problems.map((p) => p.problem)}::text[],
      ${problems.map(({ detail }) => detail)}::text[]) AS n (id, problem, detail)
    WHERE i.id = n.id AND i.state = 'planned'`.execute(tx.sql);
}

export async function countPlanned(tx: Tx, walletId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM chain_intent WHERE wallet_id = ${walletId} AND state = 'planned'`.execute(
    tx.sql,
  );
  return rows[0]?.count ?? 0;
}

/** Orders coin for addresses that have none ordered yet. */
export async function insertTopups(
  tx: WriteTx,
  gasWalletId: string,
  topups: readonly { address: string; wei: bigint }[],
): Promise<void> {
  await sql`
    INSERT INTO chain_intent (kind, wallet_id, to_address, amount_units)
    SELECT 'gas_topup', ${gasWalletId}::uuid, n.address, n.wei
    FROM unnest(${topups.map(({ address }) => address)}::text[],
      ${topups.map(({ wei }) => wei.toString())}::numeric[]) AS n (address, wei)
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}

/** The wallet that the platform's coin is in; it is made when it is asked for first. */
export async function ensureGasWallet(tx: WriteTx, chainId: number, address: string): Promise<string> {
  await sql`
    INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
    VALUES (${chainId}, 'gas', '00000000-0000-0000-0000-000000000000', 0, ${address})
    ON CONFLICT (chain_id, role, owner_id) DO NOTHING`.execute(tx.sql);
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, address FROM chain_wallet WHERE chain_id = ${chainId} AND role = 'gas'`.execute(tx.sql);
  const [wallet] = rows;
  if (wallet?.address !== address) throw new Error(`the gas wallet is ${wallet?.address}, not of this seed`);
  return wallet.id;
}

interface Freezing {
  walletId: string;
  because: FreezeReason;
  chainNonce: number;
  at: Date;
}

/** Nothing leaves a frozen wallet until a person has looked. */
export const freezeWallet = (tx: WriteTx, freezing: Freezing) => freezeWhere(tx, freezing, sql`true`);

/** The same, as long as it is not known how one of its transfers ended. */
export const freezeWalletOf = (tx: WriteTx, transferId: string, freezing: Freezing) =>
  freezeWhere(
    tx,
    freezing,
    sql`EXISTS (SELECT FROM chain_intent i WHERE i.id = ${transferId} AND i.state = 'sent')`,
  );

async function freezeWhere(
  tx: WriteTx,
  { walletId, because, chainNonce, at }: Freezing,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE chain_wallet SET frozen_because = ${because}, frozen_at = ${at}, chain_nonce = ${chainNonce}
    WHERE id = ${walletId} AND frozen_because IS NULL AND ${condition}`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** What a person has to look at of a transfer that was sent. */
export async function noteSuspicion(tx: WriteTx, transferId: string, problem: PayoutProblem): Promise<void> {
  await sql`UPDATE chain_intent SET problem = ${problem} WHERE id = ${transferId} AND state = 'sent'`.execute(
    tx.sql,
  );
}

export async function clearProblems(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`UPDATE chain_intent SET problem = NULL
    WHERE id = ANY (${[...transferIds]}::uuid[]) AND state = 'sent'`.execute(tx.sql);
}

/** What recipients were sent since a time, base units. One who asks holds up who else would send. */
export async function sumSentSince(tx: WriteTx, since: Date): Promise<bigint> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.payout_limits'))`.execute(tx.sql);
  const { rows } = await sql<{ sum: string }>`
    SELECT coalesce(sum(amount_units), 0)::text AS sum FROM chain_intent
    WHERE kind = 'distribute' AND sent_at >= ${since}`.execute(tx.sql);
  return BigInt(rows[0]?.sum ?? 0);
}

/** A payout is on its way, and was not before. */
export async function noteDistributing(tx: WriteTx, operationIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE sweep_operation SET status = 'distributing', version = version + 1, updated_at = now(), problem = NULL
    WHERE id = ANY (${[...operationIds]}::uuid[]) AND status IN ('pending', 'consolidating', 'consolidated')`.execute(
    tx.sql,
  );
}

export async function countAttempts(tx: WriteTx, transferId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM chain_tx WHERE intent_id = ${transferId}`.execute(tx.sql);
  return rows[0]?.count ?? 0;
}
