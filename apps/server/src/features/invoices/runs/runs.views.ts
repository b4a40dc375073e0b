import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { RUN_PROBLEMS } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import { conditionsOf } from '../../../platform/db/lists/list-query.ts';
import { communityInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { type TraderSearch, tradersFound } from '../../traders/found-traders.views.ts';

type RunDetail = CallAnswer<'GET /api/invoices/runs/{id}'>['data'];
type Run = CallAnswer<'GET /api/invoices/runs'>['data'][number];
type Lines = CallAnswer<'GET /api/invoices/runs/{id}/lines'>;
type LineQuery = CallParsed<'GET /api/invoices/runs/{id}/lines'>['query'];

/** Maximum number of problems listed; the rest are counted. */
const LISTED = 500;

/** Messages that a run wrote, in a state. Few are in either state. */
const messagesIn = (state: 'queued' | 'failed') => sql`(SELECT count(*)::int FROM message m
  WHERE m.invoicing_run_id = r.id AND m.state = ${sql.lit(state)})`;

/** Of a line `l`: a person has to look at it. */
const isProblem = sql`l.reason = ANY (${sql.lit(`{${RUN_PROBLEMS.join(',')}}`)}::text[])`;

/** What a trader `t` is called in one line. */
const traderName = sql`coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name, left(t.id::text, 8))`;

const columns = sql`r.id, r.trader_id, (SELECT ${traderName} FROM trader t WHERE t.id = r.trader_id) AS trader,
  r.community_id, (SELECT c.name FROM community c WHERE c.id = r.community_id) AS community, r.state, r.traders, r.positions, r.invoices,
  ${usdt(sql`r.amount_units`)} AS amount, r.carried, ${usdt(sql`r.carried_units`)} AS carried_amount, r.requested_by,
  (SELECT count(*)::int FROM invoice i WHERE i.invoicing_run_id = r.id AND i.recalled_at IS NOT NULL) AS recalled,
  (SELECT ${usdt(sql`coalesce(sum(i.amount_units), 0)`)} FROM invoice i
    WHERE i.invoicing_run_id = r.id AND i.recalled_at IS NOT NULL) AS recalled_amount,
  app.iso(r.drafted_at) AS drafted_at, r.sent_by, app.iso(r.created_at) AS created_at,
  app.iso(r.finished_at) AS finished_at,
  (SELECT count(*)::int FROM invoicing_line l WHERE l.run_id = r.id AND ${isProblem}) AS problem_count,
  json_build_object('waiting', ${messagesIn('queued')}, 'failed', ${messagesIn('failed')}) AS messages`;

/** Runs, latest first. Row-level security shows them to super admins only. */
export async function listRuns(
  tx: AnyTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: Run[]; total: number }> {
  const { rows } = await sql<{ data: Run[]; total: number }>`
    SELECT (SELECT count(*)::int FROM invoicing_run) AS total,
      (SELECT coalesce(json_agg(run), '[]') FROM (
        SELECT ${columns} FROM invoicing_run r ORDER BY r.created_at DESC, r.id LIMIT ${limit} OFFSET ${offset}) run)
        AS data`.execute(tx.sql);
  return rows[0] ?? { data: [], total: 0 };
}

export async function findRun(tx: AnyTx, id: string): Promise<Run | null> {
  const { rows } = await sql<Run>`SELECT ${columns} FROM invoicing_run r WHERE r.id = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function findRunDetail(tx: Tx, id: string): Promise<RunDetail | null> {
  const { rows } = await sql<RunDetail>`
    SELECT ${columns}, (SELECT json_build_object('id', e.id, 'finished_at', app.iso(e.finished_at), 'invoices', e.invoices,
          'amount', ${usdt(sql`e.amount_units`)})
        FROM invoicing_run e WHERE e.state = 'done' AND e.created_at < r.created_at
          AND e.trader_id IS NOT DISTINCT FROM r.trader_id AND e.community_id IS NOT DISTINCT FROM r.community_id
        ORDER BY e.created_at DESC, e.id LIMIT 1) AS previous,
      (SELECT coalesce(json_agg(listed), '[]') FROM (
        SELECT l.trader_id, t.reference_number, l.reason
        FROM invoicing_line l JOIN trader t ON t.id = l.trader_id
        WHERE l.run_id = r.id AND ${isProblem}
        ORDER BY t.reference_number NULLS LAST, l.trader_id LIMIT ${LISTED}) listed) AS problems
    FROM invoicing_run r WHERE r.id = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** As for its messages: without a Telegram ID none can be sent. */
const isReachable = sql`coalesce(t.telegram_user_id, '') <> ''`;

export type LineFilters = Pick<LineQuery, 'outcome' | 'unreachable'> & { traders?: TraderSearch };

/** Lines `l` of a run that match; of an outcome all are counted, by the run itself. */
function matching(tx: AnyTx, runId: string, filters: LineFilters): RawBuilder<unknown> {
  const narrowing = conditionsOf(filters, {
    outcome: (outcome) => sql`l.outcome = ${outcome}`,
    unreachable: (is) => (is === 'true' ? sql`NOT (${isReachable})` : isReachable),
    traders: (found) => sql`l.trader_id IN (${tradersFound(tx, found)})`,
  });
  return sql`invoicing_line l ${filters.unreachable ? sql`JOIN trader t ON t.id = l.trader_id` : sql``}
    WHERE ${sql.join([sql`l.run_id = ${runId}`, ...narrowing], sql` AND `)}`;
}

/** The ids of traders of a run that match, as an array. */
export const matchingTraders = (tx: Tx, runId: string, filters: LineFilters): RawBuilder<unknown> =>
  sql`ARRAY(SELECT l.trader_id FROM ${matching(tx, runId, filters)})`;

/** The traders of a run, the largest amount first. */
export async function listLines(
  tx: Tx,
  runId: string,
  filters: LineFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<Lines['data']> {
  const { rows } = await sql<Lines['data'][number]>`
    SELECT l.trader_id, t.name, t.telegram_username, t.reference_number, t.community_id, c.name AS community,
      l.outcome, l.reason, l.invoices, l.positions, ${usdt(sql`l.amount_units`)} AS amount,
      ${usdt(sql`l.carried_units`)} AS carried, ${isReachable} AS is_reachable
    FROM (SELECT l.* FROM ${matching(tx, runId, filters)}
      ORDER BY l.amount_units DESC, l.trader_id LIMIT ${limit} OFFSET ${offset}) l
    JOIN trader t ON t.id = l.trader_id JOIN community c ON c.id = t.community_id
    ORDER BY l.amount_units DESC, l.trader_id`.execute(tx.sql);
  return rows;
}

export async function countLines(tx: Tx, runId: string, filters: LineFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM ${matching(tx, runId, filters)}`.execute(tx.sql);
  return rows[0]?.n ?? 0;
}

/** All traders of a run by outcome. Null: there is no such run. */
export async function sumLines(tx: Tx, runId: string): Promise<Lines['meta']['outcomes'] | null> {
  const { rows } = await sql<{ outcomes: Lines['meta']['outcomes'] }>`
    SELECT json_build_object(
      'invoice', json_build_object('traders', r.to_invoice, 'amount', ${usdt(sql`r.amount_units`)}),
      'excluded', json_build_object('traders', r.excluded, 'amount', ${usdt(sql`r.excluded_units`)}),
      'carried', json_build_object('traders', r.carried, 'amount', ${usdt(sql`r.carried_units`)}),
      'left_out', json_build_object('traders', r.left_out, 'amount', '0')) AS outcomes
    FROM invoicing_run r WHERE r.id = ${runId}`.execute(tx.sql);
  return rows[0]?.outcomes ?? null;
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
