import { sql } from 'kysely';
import type { ReceivedTransfer, Token } from '../../../core/chain/transfer-receiver.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** Pools by the address of their proxy wallet in lower case. */
export async function listProxyAddresses(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, lower(proxy_address) AS address FROM pooled_account WHERE proxy_address IS NOT NULL`.execute(
    tx.sql,
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}

/** Those of these addresses that are wallets of ours, in lower case. Their transfers are booked when they end. */
export async function findOwnSenders(
  tx: Tx,
  chainId: number,
  addresses: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    SELECT lower(w.address) AS address FROM chain_wallet w
    WHERE w.chain_id = ${chainId} AND lower(w.address) = ANY (${addresses.map((each) => each.toLowerCase())}::text[])`.execute(
    tx.sql,
  );
  return new Set(rows.map(({ address }) => address));
}

/** The cycle that an arrival falls into, held as it is until the transaction ends. */
export interface ArrivalCycle {
  cycleId: string;
  isValued: boolean;
  /** A funding transfer that the exchange may send back; null: none is on its way. */
  funding: { attempt: number; units: bigint } | null;
}

/** Holds the present cycles of pools in the order of every lock of several cycles; another one could deadlock. */
export async function holdCycles(tx: WriteTx, poolIds: readonly string[]): Promise<void> {
  await sql`SELECT FROM harvest_cycle h
    WHERE h.pooled_account_id = ANY (${[...new Set(poolIds)]}::uuid[]) AND h.ended_at IS NULL
    ORDER BY h.id FOR SHARE`.execute(tx.sql);
}

export async function lockArrivalCycle(tx: WriteTx, poolId: string): Promise<ArrivalCycle> {
  const { rows } = await sql<{
    id: string;
    is_valued: boolean;
    attempt: number | null;
    units: string | null;
  }>`
    SELECT h.id, h.result_units IS NOT NULL AS is_valued, f.attempt, f.units::text AS units
    FROM harvest_cycle h
    LEFT JOIN LATERAL (SELECT l.attempt, l.units FROM harvest_funding l
      WHERE l.cycle_id = h.id AND l.state = 'sent' AND h.step = 'crediting' ORDER BY l.attempt DESC LIMIT 1) f ON true
    WHERE h.pooled_account_id = ${poolId} AND h.ended_at IS NULL FOR SHARE OF h`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`the pool ${poolId} has no cycle`);
  return {
    cycleId: row.id,
    isValued: row.is_valued,
    funding: row.attempt === null ? null : { attempt: row.attempt, units: BigInt(row.units as string) },
  };
}

/** Whether the exchange lists a withdrawal of the pool with this transaction. */
export async function isWithdrawal(tx: Tx, poolId: string, transactionHash: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pool_movement m WHERE m.pooled_account_id = ${poolId} AND m.kind = 'withdrawal'
      AND m.transaction_hash = ${transactionHash} AND m.state <> 'ended'`.execute(tx.sql);
  return rows.length > 0;
}

/** @returns its id; null when it was stored before */
export async function insertArrival(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  { ownerId: poolId, transactionHash, logIndex, block, from, units }: ReceivedTransfer,
  { cycleId, state }: { cycleId: string; state: 'returned' | 'bounced' | 'unexplained' },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pool_arrival (pooled_account_id, cycle_id, chain_id, token_address, transaction_hash, log_index,
      block_number, from_address, amount_units, state)
    VALUES (${poolId}, ${cycleId}, ${chainId}, ${tokenAddress}, ${transactionHash}, ${logIndex},
      ${block.number.toString()}, ${from}, ${units.toString()}, ${state})
    ON CONFLICT (chain_id, transaction_hash, log_index) DO NOTHING RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

/**
 * Unexplained arrivals of a pool whose transaction the exchange lists as a withdrawal by now, oldest first. One that
 * two people have decided about, if only in part, is left to them, as is money that was not the pool's own.
 */
export async function lockMatching(tx: WriteTx, poolId: string): Promise<{ id: string; units: bigint }[]> {
  const { rows } = await sql<{ id: string; units: string }>`
    SELECT a.id, a.amount_units::text AS units FROM pool_arrival a
    WHERE a.pooled_account_id = ${poolId} AND a.state = 'unexplained' AND a.decided_units = 0
      AND a.foreign_units = 0 AND NOT EXISTS (
        SELECT FROM pool_arrival_decision d WHERE d.arrival_id = a.id AND d.state = 'sending')
      AND EXISTS (SELECT FROM pool_movement m WHERE m.pooled_account_id = a.pooled_account_id AND m.kind = 'withdrawal'
        AND m.transaction_hash = a.transaction_hash AND m.state <> 'ended')
    ORDER BY a.seen_at, a.id FOR NO KEY UPDATE`.execute(tx.sql);
  return rows.map(({ id, units }) => ({ id, units: BigInt(units) }));
}

/** The exchange explains these arrivals, so proposals about them are not needed any more. */
export async function recordReturned(tx: WriteTx, arrivalIds: readonly string[]): Promise<void> {
  const ids = [...arrivalIds];
  await sql`UPDATE pool_arrival SET state = 'returned' WHERE id = ANY (${ids}::uuid[])`.execute(tx.sql);
  await sql`UPDATE pool_arrival_decision SET state = 'withdrawn', decided_by = ${tx.actor.name}, ended_at = now()
    WHERE arrival_id = ANY (${ids}::uuid[]) AND state = 'proposed'`.execute(tx.sql);
}

/**
 * Makes a part of what returned from the exchange unexplained: it is not the pool's own, and two people decide about it.
 * The last arrivals come first, because a pool's own money is what it had first. Money that people took for a withdrawal
 * counts like one that the exchange lists.
 * @throws Error when less returned
 */
export async function recordForeign(tx: WriteTx, poolId: string, units: bigint): Promise<void> {
  if (units === 0n) return;
  const wanted = sql`${units.toString()}::numeric`;
  const { rows } = await sql<{ noted: string | null }>`
    WITH back AS (
      SELECT a.id, a.seen_at, CASE WHEN a.state = 'returned' THEN a.amount_units ELSE least(a.decided_units, (
          SELECT coalesce(sum(d.amount_units), 0) FROM pool_arrival_decision d
          WHERE d.arrival_id = a.id AND d.kind = 'is_return' AND d.state = 'done')) END AS units
      FROM pool_arrival a WHERE a.pooled_account_id = ${poolId} AND a.state IN ('returned', 'resolved', 'unexplained')),
    counted AS (
      SELECT b.id, b.units, sum(b.units) OVER (ORDER BY b.seen_at DESC, b.id DESC) - b.units AS before FROM back b),
    noted AS (
      UPDATE pool_arrival a SET state = 'unexplained', resolved_at = NULL, foreign_units = n.units,
        decided_units = CASE WHEN a.state = 'returned' THEN a.amount_units ELSE a.decided_units END - n.units
      FROM (SELECT c.id, least(c.units, ${wanted} - c.before) AS units FROM counted c
        WHERE c.units > 0 AND c.before < ${wanted}) n
      WHERE a.id = n.id RETURNING n.units)
    SELECT sum(n.units)::text AS noted FROM noted n`.execute(tx.sql);
  if (BigInt(rows[0]?.noted ?? 0) !== units)
    throw new Error(`less than ${units} returned to the pool ${poolId}`);
}
