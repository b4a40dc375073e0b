import type { PoolArrival } from '@copydesk/contract/pools';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

// For super admins, who see every row.

export interface ListedArrivals {
  data: PoolArrival[];
  total: number;
  unexplained: number;
}

/** What arrived at the proxy wallet of a pool: unexplained arrivals first, then newest first, with their numbers. */
export async function listArrivals(
  tx: Tx,
  poolId: string,
  { limit, offset, callerId }: { limit: number; offset: number; callerId: string },
): Promise<ListedArrivals> {
  const { rows } = await sql<{ arrival: PoolArrival }>`
    SELECT json_build_object('id', a.id, 'state', a.state, 'amount', ${usdt('a.amount_units')},
      'unexplained', ${usdt(`CASE a.state WHEN 'unexplained' THEN a.amount_units - a.decided_units ELSE 0 END`)},
      'from_address', a.from_address, 'transaction_hash', a.transaction_hash, 'cycle_number', h.cycle_number,
      'at', app.iso(a.seen_at), 'decisions', coalesce((
        SELECT json_agg(json_build_object('id', d.id, 'kind', d.kind, 'amount', ${usdt('d.amount_units')},
          'to_address', d.to_address, 'evidence', d.evidence, 'state', d.state, 'movement_id', d.movement_record_id,
          'may_undo', ${MAY_UNDO}, 'requested_by', d.requested_by,
          'decided_by', d.decided_by, 'is_own', d.requested_by_id = ${callerId},
          'problem', CASE WHEN d.state = 'sending' THEN t.problem END,
          'transaction_hash', (SELECT s.hash FROM transfer_attempt s
            WHERE s.transfer_id = t.id AND t.state = 'final' AND NOT s.is_cancel ORDER BY s.attempt DESC LIMIT 1),
          'at', app.iso(d.created_at)) ORDER BY d.created_at DESC, d.id)
        FROM pool_arrival_decision d LEFT JOIN transfer t ON t.id = d.transfer_id
        WHERE d.arrival_id = a.id), '[]')) AS arrival
    FROM pool_arrival a JOIN harvest_cycle h ON h.id = a.cycle_id
    WHERE a.pooled_account_id = ${poolId}
    ORDER BY (a.state = 'unexplained') DESC, a.seen_at DESC, a.id LIMIT ${limit} OFFSET ${offset}`.execute(
    tx.sql,
  );
  const { rows: counted } = await sql<{ total: number; unexplained: number }>`
    SELECT count(*)::int AS total, (count(*) FILTER (WHERE a.state = 'unexplained'))::int AS unexplained
    FROM pool_arrival a WHERE a.pooled_account_id = ${poolId}`.execute(tx.sql);
  return { data: rows.map(({ arrival }) => arrival), ...(counted[0] ?? { total: 0, unexplained: 0 }) };
}

/**
 * Whether the link of the decision `d` can be undone: `mayUndoReturn` of the domain, which the act asks again. Returned
 * money covers every link of its cycle until the valuation.
 */
export const MAY_UNDO = sql`(d.kind = 'is_return' AND d.state = 'done' AND EXISTS (
  SELECT FROM harvest_cycle c
  WHERE c.id = d.booked_cycle_id AND c.ended_at IS NULL AND c.result_units IS NULL AND c.step <> 'valuing'))`;

/** An amount in base units as a decimal text. */
export const usdt = (units: string) => sql.raw(`trim_scale((${units}) * 0.000000000000000001)::text`);
