import {
  type PayoutProblem,
  type SendRefusal,
  TRANSFER_MOVES,
  type TransferState,
} from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import type { ReadyTransfer, SentTransfer, Transfer, Wallet } from '../../../core/transfers/transfer.ts';
import { allPurposes, type TransferPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { WalletPlace } from '../../../integrations/chain/wallet-keys.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import {
  type TransferRow,
  transferColumns,
  transferOf,
  type WalletRow,
  walletColumns,
  walletOf,
} from './transfer-rows.ts';

// Transfers from planned to sent. For the worker only, which runs in the scope of everything.

/** Planned, due, of a registered purpose, and ready as that purpose defines it. */
function isReady(purposes: TransferPurposes, at: Date): RawBuilder<unknown> {
  const all = allPurposes(purposes);
  const conditions = all.flatMap(([kind, { isReady: isKindReady }]) =>
    isKindReady ? [sql`AND (i.kind <> ${sql.lit(kind)} OR ${isKindReady})`] : [],
  );
  return sql`i.state = 'planned' AND (i.retry_at IS NULL OR i.retry_at <= ${at})
    AND i.kind IN (${sql.join(all.map(([kind]) => sql.lit(kind)))}) ${sql.join(conditions, sql` `)}`;
}

/** Wallets that are not frozen and have transfers to sign, longest wait first. */
export async function listWalletsToSign(
  tx: Tx,
  purposes: TransferPurposes,
  { chainId, at, limit }: { chainId: number; at: Date; limit: number },
): Promise<Wallet[]> {
  const { rows } = await sql<WalletRow>`
    SELECT ${walletColumns}
    FROM chain_wallet w
    JOIN (SELECT i.wallet_id, min(i.created_at) AS since FROM transfer i WHERE ${isReady(purposes, at)}
          GROUP BY i.wallet_id) ready ON ready.wallet_id = w.id
    WHERE w.frozen_because IS NULL AND w.chain_id = ${chainId}
    ORDER BY ready.since, w.id LIMIT ${limit}`.execute(tx.sql);
  return rows.map(walletOf);
}

/** The next transfers of a wallet to sign, oldest first. */
export async function listReady(
  tx: Tx,
  purposes: TransferPurposes,
  { walletId, at, limit }: { walletId: string; at: Date; limit: number },
): Promise<ReadyTransfer[]> {
  const allowed = allPurposes(purposes).flatMap(([kind, { isAllowedOnce }]) =>
    isAllowedOnce ? [sql`i.kind = ${sql.lit(kind)} AND ${isAllowedOnce}`] : [],
  );
  const { rows } = await sql<TransferRow & { to_wallet: WalletPlace | null; is_allowed: boolean }>`
    SELECT ${transferColumns}, (SELECT json_build_object('role', t.role, 'keyIndex', t.key_index)
      FROM chain_wallet t JOIN chain_wallet w ON w.id = i.wallet_id AND w.chain_id = t.chain_id
      WHERE lower(t.address) = lower(i.to_address)) AS to_wallet,
      ${allowed.length === 0 ? sql`false` : sql`(${sql.join(allowed, sql` OR `)})`} AS is_allowed
    FROM transfer i WHERE i.wallet_id = ${walletId} AND ${isReady(purposes, at)}
    ORDER BY i.created_at, i.id LIMIT ${limit}`.execute(tx.sql);
  return rows.map((row) => ({
    ...transferOf(row),
    toWallet: row.to_wallet,
    isAllowedOnce: row.is_allowed,
  }));
}

/**
 * Signed transfers that are not known to be final, the next ones of each wallet first, so a blocked or busy wallet does
 * not delay the rest.
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
          refusal: SendRefusal | null;
          refused_at: string | null;
          refusals: number;
        }[];
      }
  >`
    SELECT ${transferColumns}, ${walletColumns}, w.frozen_because IS NOT NULL AS is_frozen, i.nonce::text AS nonce,
      i.is_cancel_asked, i.problem, a.attempts
    FROM (
      SELECT s.id, w.frozen_because IS NOT NULL AS is_last,
        row_number() OVER (PARTITION BY s.wallet_id ORDER BY s.nonce) AS place
      FROM transfer s JOIN chain_wallet w ON w.id = s.wallet_id AND w.chain_id = ${chainId}
      WHERE s.state = 'sent' ORDER BY is_last, place, s.wallet_id LIMIT ${limit}) looked
    JOIN transfer i ON i.id = looked.id
    JOIN chain_wallet w ON w.id = i.wallet_id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('hash', t.hash, 'attempt', t.attempt, 'is_cancel', t.is_cancel,
        'max_fee', t.max_fee_wei::text, 'priority_fee', t.priority_fee_wei::text, 'gas_limit', t.gas_limit::text,
        'created_at', app.iso(t.created_at), 'broadcast_at', app.iso(t.broadcast_at),
        'refusal', t.refusal, 'refused_at', app.iso(t.refused_at), 'refusals', t.refusals) ORDER BY t.attempt) AS attempts
      FROM transfer_attempt t WHERE t.transfer_id = i.id) a
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
      refused:
        each.refusal === null || each.refused_at === null
          ? null
          : { because: each.refusal, at: new Date(each.refused_at), times: each.refusals },
    })),
  }));
}

/** The transfers among these that are still in a state, in the given order, locked until the transaction ends. */
export async function lockTransfers(
  tx: WriteTx,
  ids: readonly string[],
  state: TransferState,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM transfer WHERE id = ANY (${[...ids]}::uuid[]) AND state = ${state}
    ORDER BY id FOR NO KEY UPDATE`.execute(tx.sql);
  return new Set(rows.map(({ id }) => id));
}

/** Assigns transfers their nonces and advances the wallet's next nonce. */
export async function takeNonces(
  tx: WriteTx,
  walletId: string,
  taken: readonly { transferId: string; nonce: number }[],
  at: Date,
): Promise<void> {
  await sql`
    UPDATE transfer i SET state = ${sql.lit(TRANSFER_MOVES.signed.to)}, nonce = n.nonce, sent_at = ${at}, problem = NULL, problem_detail = NULL,
      retry_at = NULL
    FROM unnest(${taken.map(({ transferId }) => transferId)}::uuid[], ${taken.map(({ nonce }) => nonce)}::bigint[])
      AS n (id, nonce)
    WHERE i.id = n.id AND i.state = ${sql.lit(TRANSFER_MOVES.signed.from)}`.execute(tx.sql);
  await sql`
    UPDATE chain_wallet SET next_nonce = next_nonce + ${taken.length} WHERE id = ${walletId}`.execute(tx.sql);
}

export interface Problem {
  transferId: string;
  problem: PayoutProblem;
  detail: string | null;
}

/** Notes why transfers wait, and when they are tried again. */
export async function recordProblems(
  tx: WriteTx,
  problems: readonly Problem[],
  retryAt: Date,
): Promise<void> {
  await sql`
    UPDATE transfer i SET problem = n.problem, problem_detail = n.detail, retry_at = ${retryAt}
    FROM unnest(${problems.map(({ transferId }) => transferId)}::uuid[], ${problems.map((p) => p.problem)}::text[],
      ${problems.map(({ detail }) => detail)}::text[]) AS n (id, problem, detail)
    WHERE i.id = n.id AND i.state = 'planned'`.execute(tx.sql);
}

/** Notes a problem of a sent transfer that needs review. */
export async function recordSuspicion(
  tx: WriteTx,
  transferId: string,
  problem: PayoutProblem,
): Promise<void> {
  await sql`UPDATE transfer SET problem = ${problem} WHERE id = ${transferId} AND state = 'sent'`.execute(
    tx.sql,
  );
}

export async function clearProblems(tx: WriteTx, transferIds: readonly string[]): Promise<void> {
  await sql`UPDATE transfer SET problem = NULL
    WHERE id = ANY (${[...transferIds]}::uuid[]) AND state = 'sent'`.execute(tx.sql);
}

export async function countPlanned(tx: Tx, walletId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM transfer WHERE wallet_id = ${walletId} AND state = 'planned'`.execute(
    tx.sql,
  );
  return rows[0]?.count ?? 0;
}

/**
 * The coin that was ordered since a time, wei, and whether an order for an address is open. Takes the lock of that sum
 * until the end of the transaction. Void orders moved nothing; a cancelled one may only have been late, and counts.
 */
export async function sumTopups(
  tx: WriteTx,
  { since, address }: { since: Date; address: string },
): Promise<{ wei: bigint; isOpen: boolean }> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.gas_limits'))`.execute(tx.sql);
  const { rows } = await sql<{ wei: string; is_open: boolean }>`
    SELECT coalesce(sum(amount_units), 0)::text AS wei,
      EXISTS (SELECT FROM transfer o WHERE o.kind = 'gas_topup' AND o.state IN ('planned', 'sent')
        AND lower(o.to_address) = lower(${address})) AS is_open
    FROM transfer WHERE kind = 'gas_topup' AND created_at >= ${since} AND state <> 'void'`.execute(tx.sql);
  return { wei: BigInt(rows[0]?.wei ?? 0), isOpen: rows[0]?.is_open ?? false };
}

/** Orders coin for addresses without an open order. */
export async function insertTopups(
  tx: WriteTx,
  gasWalletId: string,
  topups: readonly { address: string; wei: bigint }[],
): Promise<void> {
  await sql`
    INSERT INTO transfer (kind, wallet_id, to_address, amount_units)
    SELECT 'gas_topup', ${gasWalletId}::uuid, n.address, n.wei
    FROM unnest(${topups.map(({ address }) => address)}::text[],
      ${topups.map(({ wei }) => wei.toString())}::numeric[]) AS n (address, wei)
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}

interface Counted {
  units: bigint;
  at: Date;
}

/**
 * The transfers of these kinds that were sent, or claimed to be signed, since a time; base units. Takes the lock of the
 * limit until the end of the transaction: it holds for all communities together.
 * @param besides transfers that are about to be claimed
 */
export async function listTowardLimit(
  tx: WriteTx,
  kinds: readonly Transfer['kind'][],
  { since, besides }: { since: Date; besides: readonly string[] },
): Promise<Counted[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.payout_limits'))`.execute(tx.sql);
  const { rows } = await sql<{ units: string; at: Date }>`
    SELECT sum(c.amount_units)::text AS units, c.at FROM (
      SELECT amount_units, sent_at AS at FROM transfer
      WHERE kind IN (${sql.join(kinds.map((kind) => sql.lit(kind)))}) AND sent_at >= ${since}
      UNION ALL
      SELECT amount_units, limit_claimed_at FROM transfer
      WHERE state = 'planned' AND limit_claimed_at >= ${since} AND id <> ALL (${[...besides]}::uuid[])) c
    GROUP BY c.at`.execute(tx.sql);
  return rows.map(({ units, at }) => ({ units: BigInt(units), at }));
}

/**
 * What the limit of a day holds up, oldest first, of all wallets. @param besides transfers that newly wait
 */
export async function listHeldByDay(
  tx: WriteTx,
  besides: readonly string[],
): Promise<{ id: string; units: bigint }[]> {
  const { rows } = await sql<{ id: string; units: string }>`
    SELECT i.id, i.amount_units::text AS units FROM transfer i
    WHERE i.state = 'planned' AND (i.problem = 'over_day_limit' OR i.id = ANY (${[...besides]}::uuid[]))
    ORDER BY i.created_at, i.id`.execute(tx.sql);
  return rows.map(({ id, units }) => ({ id, units: BigInt(units) }));
}

export async function claimLimit(tx: WriteTx, transferIds: readonly string[], at: Date): Promise<void> {
  await sql`UPDATE transfer SET limit_claimed_at = ${at}
    WHERE id = ANY (${[...transferIds]}::uuid[]) AND state = 'planned'`.execute(tx.sql);
}
