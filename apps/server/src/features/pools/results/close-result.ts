import { cutCarry } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

// When a pool stops harvesting. For super admins, who see every row.

/** Cuts the carry of members who withdrew in this cycle, once for all of their withdrawals. */
export async function cutCarries(tx: WriteTx, cycleId: string): Promise<void> {
  const { rows } = await sql<{ id: string; carry: string; withdrawn: string; opening: string }>`
    SELECT m.id, m.carry_units::text AS carry, w.units::text AS withdrawn,
      -- A member of the first cycle had nothing at its opening.
      coalesce(a.capital_after_units, 0)::text AS opening
    FROM (SELECT d.member_id, sum(d.reserved_units) AS units FROM pool_withdrawal d
      WHERE d.cycle_id = ${cycleId} AND d.state = 'paid' GROUP BY d.member_id) w
    JOIN pool_member m ON m.id = w.member_id AND m.carry_units > 0
    LEFT JOIN harvest_allocation a ON a.cycle_id = ${cycleId} AND a.member_id = m.id
    ORDER BY m.id FOR NO KEY UPDATE OF m`.execute(tx.sql);
  const cut = rows.map(({ id, carry, withdrawn, opening }) => ({
    id,
    units: cutCarry(BigInt(carry), BigInt(withdrawn), BigInt(opening)).toString(),
  }));
  if (cut.length === 0) return;
  await sql`
    UPDATE pool_member m SET carry_units = n.units
    FROM unnest(${cut.map(({ id }) => id)}::uuid[], ${cut.map(({ units }) => units)}::numeric[]) AS n (id, units)
    WHERE m.id = n.id`.execute(tx.sql);
}
