import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../list/invoice-json.ts';

type RunDetail = CallAnswer<'GET /api/invoices/runs/{id}'>['data'];
type Run = Omit<RunDetail, 'problems'>;

/** Maximum number of problems listed; the rest are counted. */
const LISTED = 500;

/** Messages that a run wrote, in a state. Few are in either state. */
const messagesIn = (state: 'queued' | 'failed') => sql`(SELECT count(*)::int FROM message m
  WHERE m.invoicing_run_id = r.id AND m.state = ${sql.lit(state)})`;

const columns = sql`r.id, r.trader_id, r.community_id, r.state, r.traders, r.positions, r.invoices,
  ${usdt(sql`r.amount_units`)} AS amount, r.requested_by, app.iso(r.created_at) AS created_at,
  app.iso(r.finished_at) AS finished_at,
  (SELECT count(*)::int FROM invoicing_problem p WHERE p.run_id = r.id) AS problem_count,
  json_build_object('waiting', ${messagesIn('queued')}, 'failed', ${messagesIn('failed')}) AS messages`;

/** Runs, latest first. Row-level security shows them to super admins only. */
export async function listRuns(
  tx: Tx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: Run[]; total: number }> {
  const { rows } = await sql<{ data: Run[]; total: number }>`
    SELECT (SELECT count(*)::int FROM invoicing_run) AS total,
      (SELECT coalesce(json_agg(run), '[]') FROM (
        SELECT ${columns} FROM invoicing_run r ORDER BY r.created_at DESC, r.id LIMIT ${limit} OFFSET ${offset}) run)
        AS data`.execute(tx.sql);
  return rows[0] ?? { data: [], total: 0 };
}

export async function findRun(tx: Tx, id: string): Promise<RunDetail | null> {
  const { rows } = await sql<RunDetail>`
    SELECT ${columns}, (SELECT coalesce(json_agg(listed), '[]') FROM (
        SELECT p.trader_id, t.reference_number, p.reason
        FROM invoicing_problem p JOIN trader t ON t.id = p.trader_id
        WHERE p.run_id = r.id ORDER BY t.reference_number NULLS LAST, p.trader_id LIMIT ${LISTED}) listed) AS problems
    FROM invoicing_run r WHERE r.id = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Whether this trader or community is in scope; true when neither is given. */
export async function targetExists(
  tx: Tx,
  { trader_id = null, community_id = null }: { trader_id?: string | null; community_id?: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT (${trader_id}::uuid IS NULL OR EXISTS (
        SELECT FROM trader t WHERE t.id = ${trader_id} AND ${traderInScope(tx, 't.id')}))
      AND (${community_id}::uuid IS NULL OR EXISTS (
        SELECT FROM community c WHERE c.id = ${community_id} AND ${communityInScope(tx, 'c.id')})) AS exists`.execute(
    tx.sql,
  );
  return rows[0]?.exists ?? false;
}
