import type { ExchangeEvidence, ForeignSum } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';

/** A stored read. Units are base units of USDT. */
export interface StoredEvidence extends ExchangeEvidence {
  id: string;
  readAt: Date;
  withdrawalFeeUnits: bigint;
  dustUnits: bigint;
  otherCoinsUnits: bigint;
  owedCoinsUnits: bigint;
  /** Null as well for a read of before trading was told from other types: it cannot confirm a result. */
  loggedResultUnits: bigint | null;
  foreign: readonly ForeignSum[];
}

interface Row {
  id: string;
  read_at: Date;
  open_positions: number;
  open_orders: number;
  unstored_positions: number;
  balance: string;
  other_coins: string;
  open_withdrawals: number | null;
  withdrawal_fee: string;
  dust: string;
  logged_result: string | null;
  owed: string;
  owed_coins: string;
  left_units: string;
  foreign_types: Record<string, string> | null;
}

/**
 * The newest read of a cycle, and the one before it if that is not older than `since`. For super admins and the worker,
 * who see every row.
 */
export async function findEvidence(
  tx: AnyTx,
  cycleId: string,
  { now, since }: { now: Date; since: Date },
): Promise<{ newest: StoredEvidence | null; earlier: StoredEvidence | null }> {
  const { rows } = await sql<Row>`
    SELECT e.id, e.read_at, e.open_positions, e.open_orders, e.unstored_positions, e.balance_units::text AS balance,
      e.other_coins_units::text AS other_coins, e.open_withdrawals, e.withdrawal_fee_units::text AS withdrawal_fee,
      e.dust_units::text AS dust, e.logged_result_units::text AS logged_result, e.owed_units::text AS owed,
      e.owed_coins_units::text AS owed_coins, e.left_units::text AS left_units, e.foreign_types
    FROM pool_evidence e WHERE e.cycle_id = ${cycleId} ORDER BY e.read_at DESC, e.id DESC LIMIT 2`.execute(
    tx.sql,
  );
  const [newest = null, before = null] = rows.map((row) => evidenceOf(row, now));
  return { newest, earlier: before && before.readAt >= since ? before : null };
}

function evidenceOf(row: Row, now: Date): StoredEvidence {
  return {
    id: row.id,
    readAt: row.read_at,
    ageMs: now.getTime() - row.read_at.getTime(),
    openPositions: row.open_positions,
    openOrders: row.open_orders,
    unstoredPositions: row.unstored_positions,
    balanceUnits: BigInt(row.balance),
    openWithdrawals: row.open_withdrawals,
    withdrawalFeeUnits: BigInt(row.withdrawal_fee),
    dustUnits: BigInt(row.dust),
    otherCoinsUnits: BigInt(row.other_coins),
    owedUnits: BigInt(row.owed),
    leftUnits: BigInt(row.left_units),
    owedCoinsUnits: BigInt(row.owed_coins),
    loggedResultUnits:
      row.logged_result === null || row.foreign_types === null ? null : BigInt(row.logged_result),
    foreign: Object.entries(row.foreign_types ?? {})
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([type, units]) => ({ type, units: BigInt(units) })),
  };
}
