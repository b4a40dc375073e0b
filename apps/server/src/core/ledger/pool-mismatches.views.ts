import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Mismatch } from './mismatches.views.ts';

/** More mismatches than this have one cause, and the first ones show it. */
const LISTED = 100;

/**
 * Pools whose books contradict themselves, from one snapshot. Two rules of pools are checked: the capital of the members
 * equals the pool's money less what it owes, and an open pool has nothing at the exchange or on the way to or from it.
 * Both hold after every journal, so no transaction under way explains a difference. The sums come from the ledger and
 * not from the figures kept beside it.
 * @param since checks pools with postings from then on, and every open pool; null checks everything
 */
export async function listPoolMismatches(tx: Tx, since: Date | null): Promise<Mismatch[]> {
  if (tx.scope.kind !== 'all') throw new Error('reconciling the ledger needs the scope of everything');
  const moved = since
    ? sql`p.id IN (
        SELECT coalesce(m.pooled_account_id, a.owner_id) FROM ledger_account a
        LEFT JOIN pool_member m ON m.id = a.owner_id
        WHERE a.kind LIKE 'pool\\_%' AND a.id IN (SELECT t.account_id FROM posting t
          JOIN journal j ON j.id = t.journal_id WHERE j.created_at >= ${since}))`
    : sql`true`;
  const { rows } = await sql<Mismatch>`
    WITH checked AS MATERIALIZED (SELECT p.id FROM pooled_account p WHERE ${moved}),
    own AS (
      SELECT a.owner_id AS id, sum(a.side * b.posted) AS units FROM ledger_account a
      JOIN ledger_balance b ON b.account_id = a.id
      WHERE a.owner_id IN (SELECT id FROM checked) AND a.asset = 'USDT' GROUP BY a.owner_id),
    capital AS (
      SELECT m.pooled_account_id AS id, sum(b.posted) AS units FROM pool_member m
      JOIN ledger_account a ON a.kind = 'pool_capital' AND a.owner_id = m.id AND a.asset = 'USDT'
      JOIN ledger_balance b ON b.account_id = a.id
      WHERE m.pooled_account_id IN (SELECT id FROM checked) GROUP BY m.pooled_account_id),
    open AS (
      SELECT h.pooled_account_id AS id, sum(b.posted) AS units FROM harvest_cycle h
      JOIN ledger_account a ON a.owner_id = h.pooled_account_id AND a.asset = 'USDT'
        AND a.kind IN ('pool_transit', 'pool_exchange', 'pool_returned')
      JOIN ledger_balance b ON b.account_id = a.id
      WHERE h.ended_at IS NULL AND h.status = 'harvesting' GROUP BY h.pooled_account_id)
    SELECT kind, id, trim_scale(expected)::text AS expected, trim_scale(found)::text AS found FROM (
      SELECT 'pool_capital' AS kind, id, coalesce(own.units, 0) AS expected, coalesce(capital.units, 0) AS found
      FROM checked LEFT JOIN own USING (id) LEFT JOIN capital USING (id)
      WHERE coalesce(own.units, 0) <> coalesce(capital.units, 0)
      UNION ALL SELECT 'pool_open', id, 0, units FROM open WHERE units <> 0) found
    ORDER BY kind, id LIMIT ${sql.lit(LISTED)}`.execute(tx.sql);
  return rows;
}
