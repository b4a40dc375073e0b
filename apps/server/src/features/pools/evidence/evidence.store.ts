import type { ForeignSum } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { ClosedPosition } from '../../../integrations/exchanges/gateway.ts';
import type { DepositRecord, WithdrawalRecord } from '../../../integrations/exchanges/pool-records.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker, and for super admins whose acts read the exchange: both see every row.

/** A read of a pool's account. Units are base units of USDT. */
export interface NewEvidence {
  readAt: Date;
  openPositions: number;
  openOrders: number;
  unstoredPositions: number;
  balanceUnits: bigint;
  otherCoinsUnits: bigint;
  owedUnits: bigint;
  leftUnits: bigint;
  owedCoinsUnits: bigint;
  openWithdrawals: number | null;
  withdrawalFeeUnits: bigint;
  dustUnits: bigint;
  loggedResultUnits: bigint | null;
  /** What the log lists besides trading; null: it was not read. */
  foreign: readonly ForeignSum[] | null;
  logReadUntil: Date | null;
}

/** @returns its id */
export async function insertEvidence(
  tx: WriteTx,
  { poolId, cycleId }: { poolId: string; cycleId: string },
  read: NewEvidence,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pool_evidence (pooled_account_id, cycle_id, read_at, open_positions, open_orders, unstored_positions,
      balance_units, other_coins_units, open_withdrawals, withdrawal_fee_units, dust_units, logged_result_units,
      owed_units, owed_coins_units, left_units, foreign_types, log_read_until)
    VALUES (${poolId}, ${cycleId}, ${read.readAt}, ${read.openPositions}, ${read.openOrders},
      ${read.unstoredPositions}, ${read.balanceUnits.toString()}, ${read.otherCoinsUnits.toString()},
      ${read.openWithdrawals}, ${read.withdrawalFeeUnits.toString()}, ${read.dustUnits.toString()},
      ${read.loggedResultUnits === null ? null : read.loggedResultUnits.toString()}, ${read.owedUnits.toString()},
      ${read.owedCoinsUnits.toString()}, ${read.leftUnits.toString()}, ${read.foreign && JSON.stringify(byType(read.foreign))}::jsonb,
      ${read.logReadUntil}) RETURNING id`.execute(tx.sql);
  return (rows[0] as { id: string }).id;
}

const byType = (sums: readonly ForeignSum[]) =>
  Object.fromEntries(sums.map(({ type, units }) => [type, units.toString()]));

/** Records of closed positions may be listed this late: the last span is read again. */
const LATE_HOURS = 2;

/**
 * When reading of the log and of closed positions begins: never before the pool held the account. While it was switched
 * off, another pool or a trader may have.
 */
export interface ReadingStart {
  cycleSince: Date;
  positionsSince: Date;
  /** The end of what the valuation before read: nothing that happened while the pool was open is left out. */
  logSince: Date;
}

export async function findReadingStart(
  tx: Tx,
  { poolId, cycleId }: { poolId: string; cycleId: string },
): Promise<ReadingStart> {
  const { rows } = await sql<{ cycle_since: Date; positions_since: Date; log_since: Date }>`
    SELECT greatest(h.created_at, k.held_from) AS cycle_since,
      greatest(coalesce(p.positions_read_until - make_interval(hours => ${LATE_HOURS}::int), h.created_at), k.held_from)
        AS positions_since,
      greatest(coalesce((SELECT max(e.log_read_until) FROM harvest_cycle b JOIN pool_evidence e ON e.cycle_id = b.id
        WHERE b.pooled_account_id = h.pooled_account_id AND b.cycle_number = h.cycle_number - 1), h.created_at),
        k.held_from) AS log_since
    FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
    LEFT JOIN account_holder k ON k.pooled_account_id = p.id AND k.held_until IS NULL
    WHERE h.id = ${cycleId} AND h.pooled_account_id = ${poolId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`there is no cycle ${cycleId} of the pool ${poolId}`);
  return { cycleSince: row.cycle_since, positionsSince: row.positions_since, logSince: row.log_since };
}

/** Notes until when all closed positions were read. Two readers at once do no harm: it never moves back. */
export async function saveReadUntil(tx: WriteTx, poolId: string, until: Date): Promise<void> {
  await sql`UPDATE pooled_account SET positions_read_until = ${until}
    WHERE id = ${poolId} AND (positions_read_until IS NULL OR positions_read_until < ${until})`.execute(
    tx.sql,
  );
}

/**
 * Stores closed positions. Known ones stay unchanged. Positions that closed while a trader or another pool
 * held the account belong to that holder.
 */
export async function insertPositions(
  tx: WriteTx,
  { poolId, cycleId }: { poolId: string; cycleId: string },
  positions: readonly ClosedPosition[],
): Promise<void> {
  if (positions.length === 0) return;
  const given = positions.map((position) => ({
    venue_id: position.venueId,
    symbol: position.symbol,
    side: position.side,
    size: position.contracts,
    entry_price: position.entryPrice,
    exit_price: position.exitPrice,
    result: position.closedPnl,
    closed_at: new Date(position.closedAt),
  }));
  await sql`
    INSERT INTO pool_position (pooled_account_id, cycle_id, venue_id, symbol, side, size, entry_price, exit_price, result,
      closed_at)
    SELECT ${poolId}::uuid, ${cycleId}::uuid, n.*
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS n (venue_id text, symbol text, side text, size numeric,
      entry_price numeric, exit_price numeric, result numeric, closed_at timestamptz)
    WHERE NOT EXISTS (
      SELECT FROM pooled_account p JOIN account_holder h ON h.exchange = 'bybit' AND h.acc_uid = p.bybit_uid
      WHERE p.id = ${poolId} AND h.pooled_account_id IS DISTINCT FROM p.id
        AND tstzrange(h.held_from, h.held_until) @> n.closed_at)
    ON CONFLICT (pooled_account_id, venue_id) DO NOTHING`.execute(tx.sql);
}

/** Stores what the exchange lists; a later reading of a record replaces an earlier one. */
export async function saveMovements(
  tx: WriteTx,
  poolId: string,
  {
    withdrawals = [],
    deposits = [],
    at,
  }: { withdrawals?: readonly WithdrawalRecord[]; deposits?: readonly DepositRecord[]; at: Date },
): Promise<void> {
  const given = [
    ...withdrawals.map((record) => ({
      kind: 'withdrawal',
      record_id: record.id,
      transaction_hash: hashOf(record.txId),
      amount_units: record.amountUnits.toString(),
      fee_units: record.feeUnits.toString(),
      to_address: record.toAddress,
      state: record.state,
      venue_status: record.status,
      problem: record.needsOwner ? 'needs_owner' : null,
      happened_at: new Date(record.createdAt),
    })),
    ...deposits.map((record) => ({
      kind: 'deposit',
      record_id: record.id,
      transaction_hash: hashOf(record.txId),
      amount_units: record.amountUnits.toString(),
      fee_units: record.feeUnits === null ? null : record.feeUnits.toString(),
      to_address: record.toAddress,
      state: record.state === 'credited' ? 'done' : record.state,
      venue_status: String(record.status),
      problem: record.problem,
      happened_at: record.creditedAt === null ? at : new Date(record.creditedAt),
    })),
  ];
  if (given.length === 0) return;
  await sql`
    INSERT INTO pool_movement (pooled_account_id, kind, record_id, transaction_hash, amount_units, fee_units, to_address,
      state, venue_status, problem, happened_at)
    SELECT ${poolId}::uuid, n.* FROM json_to_recordset(${JSON.stringify(given)}::json) AS n (kind text, record_id text,
      transaction_hash text, amount_units numeric, fee_units numeric, to_address text, state text, venue_status text,
      problem text, happened_at timestamptz)
    ON CONFLICT (pooled_account_id, kind, record_id) DO UPDATE SET transaction_hash = excluded.transaction_hash,
      amount_units = excluded.amount_units, fee_units = excluded.fee_units, state = excluded.state,
      venue_status = excluded.venue_status, problem = excluded.problem, seen_at = now()`.execute(tx.sql);
}

/** Some records have an id of the exchange's own books instead of a transaction hash. */
const hashOf = (txId: string | null): string | null => (txId && /^0x[0-9a-f]{64}$/.test(txId) ? txId : null);
