import type { PoolArrival } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

// For super admins, who see every row.

/** What arrived at the proxy wallet of a pool: unexplained arrivals first, then newest first, with their number. */
export async function listArrivals(
  tx: Tx,
  poolId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: PoolArrival[]; total: number }> {
  const { rows } = await sql<{ arrival: PoolArrival }>`
    SELECT json_build_object('id', a.id, 'state', a.state,
      'amount', trim_scale(a.amount_units * 0.000000000000000001)::text, 'from_address', a.from_address,
      'transaction_hash', a.transaction_hash, 'cycle_number', h.cycle_number, 'at', app.iso(a.seen_at)) AS arrival
    FROM pool_arrival a JOIN harvest_cycle h ON h.id = a.cycle_id
    WHERE a.pooled_account_id = ${poolId}
    ORDER BY (a.state = 'unexplained') DESC, a.seen_at DESC, a.id LIMIT ${limit} OFFSET ${offset}`.execute(
    tx.sql,
  );
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM pool_arrival a WHERE a.pooled_account_id = ${poolId}`.execute(tx.sql);
  return { data: rows.map(({ arrival }) => arrival), total: counted[0]?.total ?? 0 };
}
