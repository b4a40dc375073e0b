import type { FundingState } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For super admins and the worker, who see every row.

/** A transfer from the proxy wallet to the exchange: one attempt of a stop. Base units. */
export interface Funding {
  attempt: number;
  /** 0: everything stays in the proxy wallet. */
  units: bigint;
  toAddress: string | null;
  state: FundingState;
  creditedUnits: bigint;
  /** Id of the move to the trading wallet, stored before the call. */
  moveId: string;
  isMoved: boolean;
  transactionHash: string | null;
}

/** The last attempt of a cycle; null: none is planned. */
export async function findFunding(tx: Tx, cycleId: string): Promise<Funding | null> {
  const { rows } = await sql<Omit<Funding, 'units' | 'creditedUnits'> & { units: string; credited: string }>`
    SELECT f.attempt, f.units::text AS units, f.to_address AS "toAddress", f.state, f.credited_units::text AS credited,
      f.move_id AS "moveId", f.is_moved AS "isMoved",
      (SELECT a.hash FROM transfer_attempt a WHERE a.transfer_id = f.transfer_id AND NOT a.is_cancel
        ORDER BY (a.block_number IS NULL), a.attempt DESC LIMIT 1) AS "transactionHash"
    FROM harvest_funding f WHERE f.cycle_id = ${cycleId} ORDER BY f.attempt DESC LIMIT 1`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { units, credited, ...rest } = row;
  return { ...rest, units: BigInt(units), creditedUnits: BigInt(credited) };
}

export async function insertFunding(
  tx: WriteTx,
  cycleId: string,
  { attempt, units, toAddress }: Pick<Funding, 'attempt' | 'units' | 'toAddress'>,
): Promise<void> {
  await sql`INSERT INTO harvest_funding (cycle_id, attempt, units, to_address)
    VALUES (${cycleId}, ${attempt}, ${units.toString()}, ${toAddress})`.execute(tx.sql);
}

export async function saveFundingState(
  tx: WriteTx,
  cycleId: string,
  { attempt, state, creditedUnits }: Pick<Funding, 'attempt' | 'state' | 'creditedUnits'>,
): Promise<void> {
  await sql`UPDATE harvest_funding SET state = ${state}, credited_units = ${creditedUnits.toString()}
    WHERE cycle_id = ${cycleId} AND attempt = ${attempt}`.execute(tx.sql);
}

/** Ends an attempt that people gave up: its credited amount stays. */
export async function endFunding(
  tx: WriteTx,
  cycleId: string,
  { attempt, creditedUnits }: Pick<Funding, 'attempt' | 'creditedUnits'>,
): Promise<void> {
  await sql`UPDATE harvest_funding SET state = ${creditedUnits > 0n ? 'credited' : 'lost'}
    WHERE cycle_id = ${cycleId} AND attempt = ${attempt}`.execute(tx.sql);
}

/**
 * Gives an attempt the id of another move, after the exchange listed the present one as failed: an id that could still
 * move something is never replaced. It is stored before it is used.
 */
export async function replaceMove(tx: WriteTx, cycleId: string, { attempt, moveId }: Funding): Promise<void> {
  await sql`UPDATE harvest_funding SET failed_move_ids = failed_move_ids || move_id, move_id = gen_random_uuid()
    WHERE cycle_id = ${cycleId} AND attempt = ${attempt} AND move_id = ${moveId} AND NOT is_moved`.execute(
    tx.sql,
  );
}

export async function recordMoved(tx: WriteTx, cycleId: string, { attempt }: Funding): Promise<void> {
  await sql`UPDATE harvest_funding SET is_moved = true
    WHERE cycle_id = ${cycleId} AND attempt = ${attempt}`.execute(tx.sql);
}

/** A cycle whose money a transfer sent. `units`: base units as text. */
interface FundedCycle {
  cycleId: string;
  poolId: string;
  attempt: number;
  units: string;
}

export async function listFunded(tx: WriteTx, transferIds: readonly string[]): Promise<FundedCycle[]> {
  const { rows } = await sql<FundedCycle>`
    SELECT f.cycle_id AS "cycleId", h.pooled_account_id AS "poolId", f.attempt, f.units::text AS units
    FROM harvest_funding f JOIN harvest_cycle h ON h.id = f.cycle_id
    WHERE f.transfer_id = ANY (${[...transferIds]}::uuid[])`.execute(tx.sql);
  return rows;
}

/** Notes how funding transfers ended, and wakes their cycles. */
export async function endFundingTransfers(
  tx: WriteTx,
  transferIds: readonly string[],
  state: 'sent' | 'reverted',
): Promise<void> {
  if (transferIds.length === 0) return;
  await sql`
    WITH ended AS (
      UPDATE harvest_funding SET state = ${state}
      WHERE transfer_id = ANY (${[...transferIds]}::uuid[]) AND state = 'ordered' RETURNING cycle_id)
    UPDATE harvest_cycle h SET look_at = now() FROM ended e WHERE h.id = e.cycle_id AND h.look_at IS NOT NULL`.execute(
    tx.sql,
  );
}
