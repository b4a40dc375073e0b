import type { CallAnswer } from '@copydesk/contract';
import type { PooledAccount } from '@copydesk/contract/pools';
import type { HarvestStatus } from '@copydesk/domain/catalogue';
import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { byName, containing } from '../../platform/db/lists/list-query.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { type FindNamed, type FoundRow, typedId } from '../../platform/http/search-source.ts';
import { cycleJson } from './cycle-json.ts';
import { memberSums } from './member-sums.views.ts';
import { poolVersion } from './pools.store.ts';
import { readUnbooked } from './results/unbooked.views.ts';

type Stats = CallAnswer<'GET /api/pooled-accounts/{id}/stats'>['data'];
type Pending = CallAnswer<'GET /api/admin/bsc-pending-deposits'>['data'];

const usdt = (units: RawBuilder<unknown>) =>
  sql`trim_scale(coalesce(${units}, 0) * 0.000000000000000001)::text`;

/** The last read `x` of the exchange, with a balance. Only super admins see it. */
const lastRead = sql`CASE WHEN x.read_at IS NOT NULL THEN
    json_build_object('balance', ${usdt(sql`x.balance_units`)}, 'read_at', app.iso(x.read_at)) END AS bybit_read`;

/** The balance of an account of the pool `p`. Only super admins see one. */
const balanceOf = (
  kind: string,
) => sql`(SELECT b.posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
  WHERE a.kind = ${sql.lit(kind)} AND a.owner_id = p.id AND a.asset = 'USDT')`;

/** `stillAtExchange` of the domain: returned money is in the proxy wallet, and shown once. */
const stillAtExchange = sql`greatest(coalesce(${balanceOf('pool_exchange')}, 0) - coalesce(${balanceOf('pool_returned')}, 0), 0)`;

function selectPools(tx: AnyTx, condition: RawBuilder<unknown>) {
  const isWhole = tx.scope.kind === 'all';
  const ofPool = (kind: string) => (isWhole ? usdt(balanceOf(kind)) : sql`NULL::text`);
  return sql<PooledAccount>`
    SELECT p.id, p.is_active, NOT p.is_approved AS awaits_approval, app.iso(p.created_at) AS created_at,
      json_build_object('id', c.id, 'name', c.name, 'is_archived', c.is_archived) AS community,
      ${cycleJson} AS current_harvest_cycle,
      ${usdt(sql`p.minimum_deposit_units`)} AS minimum_deposit, p.fee_basis, p.has_bot,
      trim_scale(p.max_drawdown_percentage)::text AS max_drawdown_percentage, coalesce(s.member_count, 0) AS trader_count,
      ${usdt(sql`s.capital_units`)} AS total_pool_balance, ${usdt(sql`s.capital_units`)} AS total_virtual_balance,
      ${usdt(sql`s.pending_units`)} AS pending_deposits,
      ${ofPool('pool_proxy')} AS proxy_balance,
      ${isWhole ? usdt(stillAtExchange) : sql`NULL::text`} AS bybit_balance, ${lastRead},
      x.problem AS bybit_problem, ${poolVersion} AS version
    FROM pooled_account p JOIN community c ON c.id = p.community_id
    JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
    LEFT JOIN (${memberSums(tx)}) s ON s.pooled_account_id = p.id
    LEFT JOIN pool_exchange_read x ON x.pooled_account_id = p.id
    WHERE ${condition} AND ${communityInScope(tx, 'c.id')} ORDER BY ${byName('c.name')}, p.id`;
}

/** Pooled accounts of communities in scope, by community: a JSON array, which PostgreSQL writes. */
export async function listPools(
  tx: AnyTx,
  { isInactiveIncluded }: { isInactiveIncluded: boolean },
): Promise<string> {
  const { rows } = await sql<{ list: string }>`
    SELECT coalesce(json_agg(listed), '[]')::text AS list
    FROM (${selectPools(tx, isInactiveIncluded ? sql`true` : sql`p.is_active`)}) listed`.execute(tx.sql);
  return rows[0]?.list ?? '[]';
}

/** Pools by a part of the name of their community, or whole by their id or the address of a member or of the proxy. */
export const findNamedPools: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase();
  const { rows } = await sql<FoundRow>`
    SELECT p.id, c.name AS title, CASE WHEN NOT p.is_active THEN 'Inactive' END AS note, NULL AS amount, NULL AS status,
      NULL AS at, ${needle} IN (lower(c.name), p.id::text) OR by_address.id IS NOT NULL AS is_exact
    FROM pooled_account p JOIN community c ON c.id = p.community_id
    LEFT JOIN LATERAL (SELECT m.pooled_account_id AS id FROM pool_member m
      WHERE lower(m.deposit_address) = ${needle} AND m.pooled_account_id = p.id) by_address ON true
    WHERE ${communityInScope(tx, 'c.id')}
      AND (lower(c.name) LIKE ${containing(needle)} OR p.id = ${typedId(text)}::uuid OR by_address.id IS NOT NULL)
    ORDER BY is_exact DESC, p.is_active DESC, ${byName('c.name')}, p.id LIMIT ${most}`.execute(tx.sql);
  return rows;
};

export async function findPool(tx: AnyTx, id: string): Promise<PooledAccount | null> {
  const { rows } = await selectPools(tx, sql`p.id = ${id}`).execute(tx.sql);
  return rows[0] ?? null;
}

export async function findPoolOfCommunity(tx: AnyTx, communityId: string): Promise<PooledAccount | null> {
  const { rows } = await selectPools(tx, sql`p.community_id = ${communityId}`).execute(tx.sql);
  return rows[0] ?? null;
}

export async function poolExists(tx: AnyTx, id: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pooled_account p WHERE p.id = ${id} AND ${communityInScope(tx, 'p.community_id')}`.execute(
    tx.sql,
  );
  return rows.length > 0;
}

/** The balances of a pool by the books, and the result that is not booked yet, for super admins. */
export async function findStats(tx: Tx, id: string, now: Date): Promise<Stats | null> {
  const { rows } = await sql<Omit<Stats, 'unbooked_result' | 'unbooked_gap'>>`
    SELECT ${usdt(sql`s.capital_units`)} AS capital, ${usdt(sql`s.pending_units`)} AS pending,
      ${usdt(balanceOf('pool_proxy'))} AS proxy, ${usdt(balanceOf('pool_transit'))} AS transit,
      ${usdt(balanceOf('pool_exchange'))} AS exchange, ${usdt(balanceOf('pool_shortfall'))} AS shortfall,
      ${usdt(balanceOf('pool_returned'))} AS returned, ${usdt(balanceOf('pool_fees_due'))} AS fees_due,
      ${usdt(balanceOf('pool_unexplained'))} AS unexplained, s.member_count,
      ${lastRead}
    FROM pooled_account p JOIN pool_sum s ON s.pooled_account_id = p.id
    LEFT JOIN pool_exchange_read x ON x.pooled_account_id = p.id
    WHERE p.id = ${id} AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  const [books] = rows;
  if (!books) return null;
  const { units, gap } = await readUnbooked(tx, id, now);
  return { ...books, unbooked_result: units === null ? null : unitsToDecimal(units), unbooked_gap: gap };
}

/** Figures of all active pools, for super admins. */
export interface GlobalSums {
  statuses: HarvestStatus[];
  total_traders: number;
  total_proxy_balance: string;
  total_bybit_balance: string;
  total_virtual_balance: string;
}

export async function sumPools(tx: AnyTx): Promise<GlobalSums> {
  const { rows } = await sql<GlobalSums>`
    SELECT coalesce(array_agg(h.status), '{}') AS statuses, coalesce(sum(s.member_count), 0)::int AS total_traders,
      ${usdt(sql`sum(${balanceOf('pool_proxy')})`)} AS total_proxy_balance,
      ${usdt(sql`sum(${stillAtExchange})`)} AS total_bybit_balance,
      ${usdt(sql`sum(s.capital_units)`)} AS total_virtual_balance
    FROM pooled_account p JOIN pool_sum s ON s.pooled_account_id = p.id
    JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
    WHERE p.is_active AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  return rows[0] as GlobalSums;
}

/** Final deposits that no pool has admitted yet, by pool, for super admins. */
export async function sumPendingDeposits(tx: AnyTx): Promise<Pending> {
  const { rows } = await sql<Pending>`
    SELECT ${usdt(sql`sum(s.pending_units)`)} AS "totalPendingUSDT", count(*)::int AS "poolsWithPending",
      coalesce(json_agg(json_build_object('poolId', p.id, 'communityName', c.name, 'harvestStatus', h.status,
        'pendingUSDT', ${usdt(sql`s.pending_units`)}) ORDER BY s.pending_units DESC, p.id), '[]') AS "poolBreakdown"
    FROM pool_sum s JOIN pooled_account p ON p.id = s.pooled_account_id JOIN community c ON c.id = p.community_id
    JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
    WHERE p.is_active AND s.pending_units > 0 AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  return rows[0] as Pending;
}
