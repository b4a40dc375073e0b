import type { PoolStatement } from '@copydesk/contract/pools';
import { sql } from 'kysely';
import { communityJson } from '../../../core/traders/trader-columns.ts';
import type { AnyTx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { memberColumns } from './members.views.ts';

/** Cycles shown; with one a week they are two years. */
const SHOWN = 100;

const usdt = (column: string) => sql.raw(`trim_scale(${column} * 0.000000000000000001)::text`);

/** What a trader in scope has in a pool, and how it came about; null: the trader is no member of one. */
export async function findStatement(tx: AnyTx, traderId: string): Promise<PoolStatement | null> {
  const { rows } = await sql<PoolStatement & { member_id: string }>`
    SELECT m.id AS member_id,
      json_build_object('id', p.id, 'community', ${communityJson}, 'status', h.status,
        'is_active', p.is_active) AS pool,
      (SELECT row_to_json(x) FROM (SELECT ${memberColumns(tx)}) x) AS member,
      json_build_object('opening_balance', ${usdt('(m.capital_units - d.units - a.results + a.fees + w.units)')},
        'deposited', ${usdt('d.units')}, 'results', ${usdt('a.results')}, 'fees', ${usdt('a.fees')},
        'withdrawn', ${usdt('w.units')}, 'virtual_balance', ${usdt('m.capital_units')}) AS totals,
      a.cycle_count
    FROM pool_member m JOIN trader t ON t.id = m.trader_id
    JOIN pooled_account p ON p.id = m.pooled_account_id JOIN community c ON c.id = p.community_id
    JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
    CROSS JOIN LATERAL (SELECT coalesce(sum(d.amount_units), 0) AS units FROM pool_deposit d
      WHERE d.member_id = m.id AND d.state = 'admitted') d
    CROSS JOIN LATERAL (SELECT coalesce(sum(w.reserved_units), 0) AS units FROM pool_withdrawal w
      WHERE w.member_id = m.id AND w.state = 'paid') w
    CROSS JOIN LATERAL (SELECT coalesce(sum(a.allocated_units), 0) AS results, coalesce(sum(a.fee_units), 0) AS fees,
        count(*)::int AS cycle_count
      FROM harvest_allocation a WHERE a.member_id = m.id AND a.booked_at IS NOT NULL) a
    WHERE m.trader_id = ${traderId} AND ${traderInScope(tx, 'm.trader_id')}
    ORDER BY m.created_at DESC, m.id LIMIT 1`.execute(tx.sql);
  const [found] = rows;
  if (!found) return null;
  const { member_id: memberId, ...statement } = found;
  return { ...statement, cycles: await listResults(tx, memberId) };
}

async function listResults(tx: AnyTx, memberId: string): Promise<PoolStatement['cycles']> {
  const { rows } = await sql<PoolStatement['cycles'][number]>`
    SELECT h.cycle_number, app.iso(a.booked_at) AS valued_at, ${usdt('a.share_units')} AS opening,
      ${usdt('a.allocated_units')} AS result, ${usdt('a.fee_units')} AS fee,
      ${usdt('a.carry_after_units')} AS carry, ${usdt('a.capital_after_units')} AS closing, a.invoice_id
    FROM harvest_allocation a JOIN harvest_cycle h ON h.id = a.cycle_id
    WHERE a.member_id = ${memberId} AND a.booked_at IS NOT NULL
    ORDER BY h.cycle_number DESC LIMIT ${sql.lit(SHOWN)}`.execute(tx.sql);
  return rows;
}
