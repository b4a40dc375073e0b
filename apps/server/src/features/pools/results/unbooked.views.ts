import { unbookedResult } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { readCycles } from '../harvest/cycles.store.ts';
import { readPoolBalances } from '../harvest/pool-balances.views.ts';
import { decideResult } from './decide-result.ts';
import { sumLostInTransit } from './lost-in-transit.views.ts';

/** What was read at the exchange in a cycle. Base units. */
interface CycleRead {
  read: string | null;
  under_way: string;
  is_unreadable: boolean;
}

/** The result of a pool's present cycle that is not booked yet. For super admins. */
export async function readUnbooked(
  tx: Tx,
  poolId: string,
  now: Date,
): Promise<ReturnType<typeof unbookedResult>> {
  const [cycle] = await readCycles(tx, [poolId]);
  if (!cycle) return { units: null, gap: 'not_read' };
  const { id: cycleId, state, resultUnits } = cycle;
  const isDecided = state.step === 'valuing';
  const read = await findRead(tx, cycleId);
  const books = (await readPoolBalances(tx, [poolId]))(poolId);
  const decided = isDecided && read.read !== null ? await decideResult(tx, { poolId, cycleId }, now) : null;
  return unbookedResult({
    state,
    isValued: resultUnits !== null,
    readUnits: read.read === null ? null : BigInt(read.read),
    decidedUnits: decided?.resultUnits ?? null,
    underWayUnits: read.is_unreadable ? null : BigInt(read.under_way),
    exchangeUnits: books.pool_exchange,
    returnedUnits: books.pool_returned,
    lostInTransitUnits: await sumLostInTransit(tx, cycleId),
  });
}

/**
 * The newest read since the cycle began, and the withdrawals to the proxy wallet that are not booked as returned. While
 * the owner withdraws, only a read that listed withdrawals as well counts: one between two of them would show money
 * twice or not at all.
 */
async function findRead(tx: Tx, cycleId: string): Promise<CycleRead> {
  const { rows } = await sql<CycleRead>`
    SELECT CASE WHEN h.step = 'trading' OR e.read_at IS NULL THEN x.balance_units ELSE e.balance_units END::text AS read,
      e.open_withdrawals IS NULL AS is_unreadable, coalesce((
        SELECT sum(m.amount_units) FROM pool_movement m
        WHERE m.pooled_account_id = p.id AND m.kind = 'withdrawal' AND m.state <> 'ended'
          AND lower(m.to_address) = lower(p.proxy_address) AND m.happened_at >= h.created_at AND NOT EXISTS (
            SELECT FROM pool_arrival a WHERE a.pooled_account_id = p.id AND a.transaction_hash = m.transaction_hash
              AND a.state <> 'unexplained')), 0)::text AS under_way
    FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
    LEFT JOIN pool_exchange_read x ON x.pooled_account_id = p.id AND x.read_at >= h.created_at
    LEFT JOIN LATERAL (SELECT * FROM pool_evidence v WHERE v.cycle_id = h.id ORDER BY v.read_at DESC, v.id DESC LIMIT 1) e
      ON true
    WHERE h.id = ${cycleId}`.execute(tx.sql);
  return rows[0] ?? { read: null, under_way: '0', is_unreadable: true };
}
