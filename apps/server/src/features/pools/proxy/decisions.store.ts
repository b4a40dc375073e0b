import type { UnexplainedEnd } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

// For super admins and the worker, who see every row. The callers have locked the cycle of the pool, except for the ends
// of transfers, which concern one decision each.

/** An arrival and the part of it that nothing explains yet. Base units. */
export interface OpenArrival {
  isUnexplained: boolean;
  leftUnits: bigint;
  transactionHash: string;
}

export async function lockArrival(tx: WriteTx, poolId: string, id: string): Promise<OpenArrival | null> {
  const { rows } = await sql<{ is_unexplained: boolean; units: string; transactionHash: string }>`
    SELECT a.state = 'unexplained' AS is_unexplained, (a.amount_units - a.decided_units)::text AS units,
      a.transaction_hash AS "transactionHash"
    FROM pool_arrival a WHERE a.id = ${id} AND a.pooled_account_id = ${poolId} FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  const [row] = rows;
  if (!row) return null;
  return {
    isUnexplained: row.is_unexplained,
    leftUnits: BigInt(row.units),
    transactionHash: row.transactionHash,
  };
}

/** What is decided about an arrival, or a part of it. */
export interface Decision {
  kind: UnexplainedEnd;
  units: bigint;
  /** For money that is sent back. */
  toAddress: string | null;
}

export interface StoredDecision extends Decision {
  id: string;
  state: 'proposed' | 'sending' | 'done' | 'failed' | 'withdrawn' | 'undone';
  /** The cycle whose result the money counts towards; null: none. */
  bookedCycleId: string | null;
  evidence: string;
  requestedById: string;
  transferId: string | null;
}

interface NewDecision extends Decision {
  /** The withdrawal that the exchange lists and that the arrival belongs to. */
  movementId: string | null;
  evidence: string;
}

/** @returns its id; null when another one about the arrival is open */
export async function insertDecision(
  tx: WriteTx,
  arrivalId: string,
  { kind, units, toAddress, movementId, evidence }: NewDecision,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pool_arrival_decision (arrival_id, kind, amount_units, to_address, movement_record_id, evidence,
      requested_by_id, requested_by)
    VALUES (${arrivalId}, ${kind}, ${units.toString()}, ${toAddress}, ${movementId}, ${evidence}, ${tx.actor.id},
      ${tx.actor.name})
    ON CONFLICT (arrival_id) WHERE state IN ('proposed', 'sending') DO NOTHING RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

export async function lockDecision(
  tx: WriteTx,
  arrivalId: string,
  id: string,
): Promise<StoredDecision | null> {
  const { rows } = await sql<Omit<StoredDecision, 'units'> & { units: string }>`
    SELECT d.id, d.kind, d.amount_units::text AS units, d.to_address AS "toAddress", d.state, d.evidence,
      d.requested_by_id AS "requestedById", d.transfer_id AS "transferId", d.booked_cycle_id AS "bookedCycleId"
    FROM pool_arrival_decision d WHERE d.id = ${id} AND d.arrival_id = ${arrivalId} FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  const [row] = rows;
  return row ? { ...row, units: BigInt(row.units) } : null;
}

export async function recordSending(tx: WriteTx, id: string, transferId: string): Promise<void> {
  await sql`UPDATE pool_arrival_decision SET state = 'sending', decided_by = ${tx.actor.name},
      decided_by_id = ${tx.actor.id}, transfer_id = ${transferId}
    WHERE id = ${id}`.execute(tx.sql);
}

/** Confirms a decision that takes effect at once. */
export async function recordConfirmed(tx: WriteTx, id: string, cycleId: string): Promise<void> {
  await sql`UPDATE pool_arrival_decision SET state = 'sending', decided_by = ${tx.actor.name},
      decided_by_id = ${tx.actor.id}, booked_cycle_id = ${cycleId}
    WHERE id = ${id}`.execute(tx.sql);
  await recordDone(tx, [id]);
}

/** The part of the arrival that this decision explained is unexplained again. */
export async function recordUndone(tx: WriteTx, id: string, reason: string): Promise<void> {
  await sql`
    WITH undone AS (
      UPDATE pool_arrival_decision SET state = 'undone', undone_by = ${tx.actor.name}, undone_reason = ${reason}
      WHERE id = ${id} AND state = 'done' RETURNING arrival_id, amount_units)
    UPDATE pool_arrival a SET decided_units = a.decided_units - d.amount_units, state = 'unexplained', resolved_at = NULL
    FROM undone d WHERE a.id = d.arrival_id`.execute(tx.sql);
}

/** Whether the exchange lists this withdrawal as done, and whether it belongs to another arrival of the pool already. */
export async function findWithdrawal(
  tx: WriteTx,
  poolId: string,
  { movementId, arrivalId }: { movementId: string; arrivalId: string },
): Promise<{ isListed: boolean; isTaken: boolean }> {
  const { rows } = await sql<{ is_taken: boolean }>`
    SELECT EXISTS (
        SELECT FROM pool_arrival a WHERE a.pooled_account_id = m.pooled_account_id AND a.id <> ${arrivalId}
          AND a.transaction_hash = m.transaction_hash)
      OR EXISTS (
        SELECT FROM pool_arrival_decision d JOIN pool_arrival a ON a.id = d.arrival_id
        WHERE d.movement_record_id = m.record_id AND d.state IN ('proposed', 'sending', 'done')
          AND a.pooled_account_id = m.pooled_account_id AND a.id <> ${arrivalId}) AS is_taken
    FROM pool_movement m
    WHERE m.pooled_account_id = ${poolId} AND m.kind = 'withdrawal' AND m.record_id = ${movementId}
      AND m.state = 'done'`.execute(tx.sql);
  const [row] = rows;
  return { isListed: row !== undefined, isTaken: row?.is_taken ?? false };
}

export async function recordWithdrawn(tx: WriteTx, id: string): Promise<void> {
  await sql`UPDATE pool_arrival_decision SET state = 'withdrawn', decided_by = ${tx.actor.name}, ended_at = now()
    WHERE id = ${id}`.execute(tx.sql);
}

/** The parts of arrivals that these decisions are about are explained. */
async function recordDone(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await sql`
    WITH done AS (
      UPDATE pool_arrival_decision SET state = 'done', ended_at = now()
      WHERE id = ANY (${[...ids]}::uuid[]) AND state = 'sending' RETURNING arrival_id, amount_units)
    UPDATE pool_arrival a SET decided_units = a.decided_units + d.amount_units,
      state = CASE WHEN a.decided_units + d.amount_units = a.amount_units THEN 'resolved' ELSE a.state END,
      resolved_at = CASE WHEN a.decided_units + d.amount_units = a.amount_units THEN now() END
    FROM done d WHERE a.id = d.arrival_id`.execute(tx.sql);
}

/** Decisions by the transfers that carry them out. */
export async function listByTransfers(
  tx: WriteTx,
  transferIds: readonly string[],
): Promise<{ id: string; poolId: string; transferId: string }[]> {
  const { rows } = await sql<{ id: string; poolId: string; transferId: string }>`
    SELECT d.id, a.pooled_account_id AS "poolId", d.transfer_id AS "transferId"
    FROM pool_arrival_decision d JOIN pool_arrival a ON a.id = d.arrival_id
    WHERE d.transfer_id = ANY (${[...transferIds]}::uuid[])`.execute(tx.sql);
  return rows;
}

/** Notes how the transfers of decisions ended. */
export async function recordEnded(
  tx: WriteTx,
  transferIds: readonly string[],
  state: 'done' | 'failed',
): Promise<void> {
  const ids = (await listByTransfers(tx, transferIds)).map(({ id }) => id);
  if (ids.length === 0) return;
  if (state === 'done') return recordDone(tx, ids);
  await sql`UPDATE pool_arrival_decision SET state = 'failed', ended_at = now()
    WHERE id = ANY (${ids}::uuid[]) AND state = 'sending'`.execute(tx.sql);
}
