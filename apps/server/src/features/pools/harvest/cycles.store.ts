import type { HarvestStatus } from '@copydesk/domain/catalogue';
import type { FailureReason, HarvestState, HarvestStep, RaisedBreaker } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import { lockCommunities } from '../../../core/transfers/communities.store.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { dueRows, type Held } from '../../../platform/work/due-rows.ts';
import { breakerRaises } from '../pools.store.ts';

/** The current cycle of a pool, locked until the transaction ends. Units are base units of USDT. */
export interface CycleRow {
  id: string;
  /** Incremented by every move. */
  version: number;
  state: HarvestState;
  poolId: string;
  communityId: string;
  cycleNumber: number;
  failure: FailureReason | null;
  /** A code: why it waited at the last look; null: it did not. */
  waitsBecause: string | null;
  statusSince: Date;
  stepSince: Date;
  deadlineAt: Date | null;
  startedBy: string | null;
  startBalanceUnits: bigint | null;
  approvalAwaitedSince: Date | null;
  waitedMs: number;
  approvedEvidenceId: string | null;
  /** The result that was approved. */
  approvedResultUnits: bigint | null;
  resultUnits: bigint | null;
  trading: TradingRequest | null;
  hasBot: boolean;
  /** Whether there is a key for its exchange account. */
  isConnected: boolean;
  /** Whether the pool is switched on and approved: it holds its account, and takes part. */
  isActive: boolean;
  minimumUnits: bigint;
  /** The drawdown in per cent at which the pool does not trade on; null: no limit. */
  maxDrawdown: string | null;
  breakerRaises: readonly RaisedBreaker[];
  address: DepositAddressState;
}

/** A command to the trading bot, as stored before it was first sent. */
export interface TradingRequest {
  id: string;
  command: 'pause' | 'resume';
  requestedAt: Date;
  isAcknowledged: boolean;
}

export interface DepositAddressState {
  approved: string | null;
  usableFrom: Date | null;
  /** As the exchange last gave it; null: its key may not read it. */
  read: string | null;
}

interface Row {
  id: string;
  pool_id: string;
  community_id: string;
  cycle_number: number;
  status: HarvestStatus;
  step: HarvestStep;
  failed_from: string | null;
  reason: string | null;
  version: number;
  since: Date;
  step_since: Date;
  deadline_at: Date | null;
  started_by: string | null;
  start_balance: string | null;
  approval_awaited_since: Date | null;
  waited_ms: string;
  approved_evidence_id: string | null;
  approved_result: string | null;
  result: string | null;
  trading_request_id: string | null;
  trading_command: 'pause' | 'resume' | null;
  trading_requested_at: Date | null;
  trading_acknowledged_at: Date | null;
  has_bot: boolean;
  is_connected: boolean;
  is_active: boolean;
  minimum: string;
  max_drawdown: string | null;
  raises: RaisedBreaker[];
  approved: string | null;
  usable_from: Date | null;
  address_read: string | null;
}

const columns = sql`h.id, h.pooled_account_id AS pool_id, p.community_id, h.cycle_number, h.status, h.step, h.failed_from,
  h.reason, h.version, h.since, h.step_since, h.deadline_at, h.started_by, h.start_balance_units::text AS start_balance,
  h.approval_awaited_since, h.waited_ms::text AS waited_ms, h.approved_evidence_id,
  h.approved_result_units::text AS approved_result, h.result_units::text AS result,
  h.trading_request_id, h.trading_command, h.trading_requested_at, h.trading_acknowledged_at, p.has_bot,
  EXISTS (SELECT FROM pool_key k WHERE k.pooled_account_id = p.id) AS is_connected, p.is_active,
  p.minimum_deposit_units::text AS minimum, p.max_drawdown_percentage::text AS max_drawdown,
  ${breakerRaises} AS raises, p.bybit_deposit_address AS approved,
  p.bybit_deposit_address_from AS usable_from, p.bybit_address_read AS address_read`;

/**
 * Locks the current cycles of pools, after their communities: the order of every change of transfers. Pools that are not
 * in scope are left out.
 */
export async function lockCycles(tx: WriteTx, poolIds: readonly string[]): Promise<CycleRow[]> {
  const { rows: pools } = await sql<{ community_id: string }>`
    SELECT p.community_id FROM pooled_account p
    WHERE p.id = ANY (${[...poolIds]}::uuid[]) AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  await lockCommunities(
    tx,
    pools.map(({ community_id }) => community_id),
  );
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
    WHERE h.ended_at IS NULL AND p.id = ANY (${[...poolIds]}::uuid[]) AND ${communityInScope(tx, 'p.community_id')}
    ORDER BY h.id FOR NO KEY UPDATE OF h`.execute(tx.sql);
  return rows.map(cycleOf);
}

export async function lockCycle(tx: WriteTx, poolId: string): Promise<CycleRow | null> {
  const [row] = await lockCycles(tx, [poolId]);
  return row ?? null;
}

/** Reads the current cycles of pools without locking them; nothing for a pool out of scope. */
export async function readCycles(tx: Tx, poolIds: readonly string[]): Promise<CycleRow[]> {
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
    WHERE h.ended_at IS NULL AND p.id = ANY (${[...poolIds]}::uuid[])
      AND ${communityInScope(tx, 'p.community_id')} ORDER BY h.id`.execute(tx.sql);
  return rows.map(cycleOf);
}

function cycleOf(row: Row): CycleRow {
  const { status, step, failed_from: failedFrom } = row;
  const state = (status === 'failed' ? { status, step, failedFrom } : { status, step }) as HarvestState;
  const units = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    id: row.id,
    version: row.version,
    state,
    poolId: row.pool_id,
    communityId: row.community_id,
    cycleNumber: row.cycle_number,
    failure: status === 'failed' ? (row.reason as FailureReason) : null,
    waitsBecause: status === 'failed' ? null : row.reason,
    statusSince: row.since,
    stepSince: row.step_since,
    deadlineAt: row.deadline_at,
    startedBy: row.started_by,
    startBalanceUnits: units(row.start_balance),
    approvalAwaitedSince: row.approval_awaited_since,
    waitedMs: Number(row.waited_ms),
    approvedEvidenceId: row.approved_evidence_id,
    approvedResultUnits: units(row.approved_result),
    resultUnits: units(row.result),
    trading: row.trading_request_id
      ? {
          id: row.trading_request_id,
          command: row.trading_command as TradingRequest['command'],
          requestedAt: row.trading_requested_at as Date,
          isAcknowledged: row.trading_acknowledged_at !== null,
        }
      : null,
    hasBot: row.has_bot,
    isConnected: row.is_connected,
    isActive: row.is_active,
    minimumUnits: BigInt(row.minimum),
    maxDrawdown: row.max_drawdown,
    breakerRaises: row.raises,
    address: { approved: row.approved, usableFrom: row.usable_from, read: row.address_read },
  };
}

/** A state to store, with the values that a transition sets beside it. */
export interface NextState {
  state: HarvestState;
  failure: FailureReason | null;
  at: Date;
  deadlineAt: Date | null;
  startedBy: string | null;
  startBalanceUnits: bigint | null;
}

/** Stores a state if the version is still this one. The worker looks at the cycle at once. */
export async function saveState(tx: WriteTx, { id, version }: CycleRow, next: NextState): Promise<boolean> {
  const { state, failure, at, deadlineAt, startedBy, startBalanceUnits } = next;
  const { numAffectedRows } = await sql`
    UPDATE harvest_cycle SET status = ${state.status}, step = ${state.step},
      failed_from = ${state.status === 'failed' ? state.failedFrom : null}, reason = ${failure}, reason_detail = NULL,
      version = version + 1, since = CASE WHEN status = ${state.status} THEN since ELSE ${at}::timestamptz END,
      step_since = ${at}, deadline_at = ${deadlineAt}, look_at = ${at}, started_by = ${startedBy},
      started_at = CASE WHEN ${startedBy}::text IS NULL THEN NULL ELSE coalesce(started_at, ${at}::timestamptz) END,
      start_balance_units = ${startBalanceUnits === null ? null : startBalanceUnits.toString()},
      approval_awaited_since = NULL
    WHERE id = ${id} AND version = ${version} AND ended_at IS NULL`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Notes why a cycle waits, and when the worker looks at it next; null: an event has to come first. */
export async function recordWaiting(
  tx: WriteTx,
  { id, version }: Pick<CycleRow, 'id' | 'version'>,
  { reason, detail, lookAt }: { reason: string | null; detail: string | null; lookAt: Date | null },
): Promise<void> {
  await sql`
    UPDATE harvest_cycle SET look_at = ${lookAt},
      reason = CASE WHEN status = 'failed' THEN reason ELSE ${reason} END,
      reason_detail = CASE WHEN status = 'failed' THEN reason_detail ELSE ${detail} END
    WHERE id = ${id} AND version = ${version} AND ended_at IS NULL`.execute(tx.sql);
}

/** The worker looks at a cycle again at this time; null: not before an event. */
export async function lookAgain(
  tx: WriteTx,
  { id, version }: Pick<CycleRow, 'id' | 'version'>,
  at: Date | null,
): Promise<void> {
  await sql`UPDATE harvest_cycle SET look_at = ${at} WHERE id = ${id} AND version = ${version} AND ended_at IS NULL`.execute(
    tx.sql,
  );
}

/** A valuation waits for another person from now on; its deadline moves with the time that it takes. */
export async function awaitApproval(tx: WriteTx, { id }: CycleRow, at: Date): Promise<void> {
  await sql`UPDATE harvest_cycle SET approval_awaited_since = coalesce(approval_awaited_since, ${at}::timestamptz)
    WHERE id = ${id}`.execute(tx.sql);
}

export interface Approval {
  evidenceId: string;
  resultUnits: bigint;
  at: Date;
  waitedMs: number;
  deadlineAt: Date | null;
}

export async function saveApproval(
  tx: WriteTx,
  { id }: CycleRow,
  { evidenceId, resultUnits, at, waitedMs, deadlineAt }: Approval,
): Promise<void> {
  await sql`UPDATE harvest_cycle SET approved_evidence_id = ${evidenceId}, approved_by_id = ${tx.actor.id},
      approved_result_units = ${resultUnits.toString()}, approval_awaited_since = NULL, waited_ms = ${waitedMs},
      deadline_at = ${deadlineAt}, look_at = ${at}
    WHERE id = ${id}`.execute(tx.sql);
}

/**
 * Stores a command to the bot under a new id. An acknowledgement of an earlier command no longer counts. The bot obeys the
 * later of two commands, and the clocks of our processes may differ: each command is later than the one before.
 */
export async function saveTradingRequest(
  tx: WriteTx,
  { id, poolId }: CycleRow,
  { command, at }: { command: TradingRequest['command']; at: Date },
): Promise<void> {
  await sql`UPDATE harvest_cycle SET trading_request_id = gen_random_uuid(), trading_command = ${command},
      trading_acknowledged_at = NULL, look_at = ${at}, trading_requested_at = greatest(${at}::timestamptz, (
        SELECT max(c.trading_requested_at) FROM harvest_cycle c WHERE c.pooled_account_id = ${poolId})
        + interval '1 millisecond')
    WHERE id = ${id}`.execute(tx.sql);
}

/** An operator reports that trading has resumed. */
export async function recordTradingResumed(tx: WriteTx, { id }: CycleRow, at: Date): Promise<void> {
  await sql`UPDATE harvest_cycle SET trading_acknowledged_at = ${at}, look_at = ${at} WHERE id = ${id}`.execute(
    tx.sql,
  );
}

/** Why a harvest was called off, until the next one starts. */
export async function recordReason(tx: WriteTx, { id }: CycleRow, reason: string): Promise<void> {
  await sql`UPDATE harvest_cycle SET reason = ${reason} WHERE id = ${id}`.execute(tx.sql);
}

/** Notes that the bot obeyed its present command. @returns false for an earlier command */
export async function acknowledgeTrading(
  tx: WriteTx,
  {
    poolId,
    requestId,
    command,
    at,
  }: {
    poolId: string;
    requestId: string;
    command: TradingRequest['command'];
    at: Date;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE harvest_cycle SET trading_acknowledged_at = coalesce(trading_acknowledged_at, ${at}::timestamptz),
      look_at = ${at}
    WHERE pooled_account_id = ${poolId} AND ended_at IS NULL AND trading_request_id = ${requestId}
      AND trading_command = ${command}`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Ends the cycle and begins the next one, in which the pool trades. */
export async function beginNextCycle(
  tx: WriteTx,
  { id, poolId, cycleNumber }: CycleRow,
  at: Date,
): Promise<void> {
  await sql`UPDATE harvest_cycle SET ended_at = ${at}, look_at = NULL WHERE id = ${id}`.execute(tx.sql);
  await sql`INSERT INTO harvest_cycle (pooled_account_id, cycle_number, since, step_since, created_at)
    VALUES (${poolId}, ${cycleNumber + 1}, ${at}, ${at}, ${at})`.execute(tx.sql);
}

const CYCLES = dueRows({ table: 'harvest_cycle', due: 'look_at' });

/** A cycle that only this worker attends to until its lease ends. */
export type HeldCycle = Held & { poolId: string };

/** Claims cycles that are due. A crash costs at most the lease. */
export const claimDue = (
  tx: WriteTx,
  { at, leaseMs, limit }: { at: Date; leaseMs: number; limit: number },
): Promise<HeldCycle[]> =>
  CYCLES.claim<HeldCycle>(tx, {
    at,
    leaseMs,
    pick: sql`
      SELECT d.id FROM harvest_cycle d WHERE d.ended_at IS NULL AND ${CYCLES.isFree('d', at)}
      ORDER BY d.look_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
    returning: sql`r.pooled_account_id AS "poolId"`,
  });

/** Lets a cycle go. Keeps the time of its next look that the step, or an event meanwhile, has written. */
export const letGo = (tx: WriteTx, held: HeldCycle): Promise<boolean> => CYCLES.finish(tx, held, {});

/** What a pool needs before its harvest can start. */
export async function findReadiness(
  tx: Tx,
  poolId: string,
): Promise<{ isActive: boolean; hasProxy: boolean }> {
  const { rows } = await sql<{ isActive: boolean; hasProxy: boolean }>`
    SELECT p.is_active AS "isActive", p.proxy_address IS NOT NULL AS "hasProxy" FROM pooled_account p
    WHERE p.id = ${poolId} AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  return rows[0] ?? { isActive: false, hasProxy: false };
}

/** Facts of a cycle have changed: the worker looks at it soon, if it looks at it at all. */
export async function lookSoon(tx: WriteTx, { id }: Pick<CycleRow, 'id'>): Promise<void> {
  await sql`UPDATE harvest_cycle SET look_at = now() WHERE id = ${id} AND look_at IS NOT NULL`.execute(
    tx.sql,
  );
}

/** What a cycle awaits from its owner; null: there is no such cycle. */
export async function findAwaitedWithdrawal(
  tx: Tx,
  cycleId: string,
): Promise<{
  poolId: string;
  communityId: string;
  isAwaited: boolean;
  balanceUnits: bigint;
  /** Of its status. */
  since: Date;
} | null> {
  const { rows } = await sql<{
    poolId: string;
    communityId: string;
    isAwaited: boolean;
    balance: string;
    since: Date;
  }>`
    SELECT p.id AS "poolId", p.community_id AS "communityId",
      h.ended_at IS NULL AND h.status = 'awaiting_bybit_withdrawal' AS "isAwaited",
      coalesce(h.start_balance_units, 0)::text AS balance, h.since
    FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id WHERE h.id = ${cycleId}`.execute(
    tx.sql,
  );
  const [row] = rows;
  if (!row) return null;
  const { balance, ...rest } = row;
  return { ...rest, balanceUnits: BigInt(balance) };
}

/** The pool trades again: a person who raised its limit before may let it trade on after the next harvest. */
export async function forgetRaisedBreaker(tx: WriteTx, { poolId }: CycleRow): Promise<void> {
  await sql`UPDATE pooled_account SET breaker_raises = '[]', breaker_raised_by = NULL, breaker_raised_from = NULL
    WHERE id = ${poolId} AND (breaker_raises <> '[]' OR breaker_raised_by IS NOT NULL)`.execute(tx.sql);
}
