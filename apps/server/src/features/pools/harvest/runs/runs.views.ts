import type { CallAnswer } from '@copydesk/contract';
import { runProgressOf } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { AnyTx, Tx } from '../../../../platform/db/database.ts';
import { byName } from '../../../../platform/db/lists/list-query.ts';

// For super admins, who see every row.

type Run = CallAnswer<'POST /api/pooled-accounts/global/harvest'>['data'];
type RunRow = Omit<Run, 'state' | 'pools'>;

/** A run with how far its pools have come; without an id the latest one. Null: there is none. */
export async function findRun(tx: AnyTx, id?: string): Promise<Run | null> {
  const { rows } = await sql<RunRow>`
    SELECT r.id, r.action, r.goal, r.requested_by, app.iso(r.created_at) AS at,
      json_build_object('moving', count(*) FILTER (WHERE i.state = 'moving'),
        'awaiting', count(*) FILTER (WHERE i.state = 'awaiting'), 'done', count(*) FILTER (WHERE i.state = 'done'),
        'failed', count(*) FILTER (WHERE i.state = 'failed')) AS counts,
      coalesce(json_agg(json_build_object('pool_id', i.pooled_account_id, 'community', c.name, 'reason', i.reason)
        ORDER BY ${byName('c.name')}) FILTER (WHERE i.state = 'failed'), '[]') AS failed
    FROM (SELECT * FROM harvest_run l WHERE ${id ? sql`l.id = ${id}` : sql`true`}
      ORDER BY l.created_at DESC, l.id DESC LIMIT 1) r
    JOIN harvest_run_item i ON i.run_id = r.id
    JOIN pooled_account p ON p.id = i.pooled_account_id JOIN community c ON c.id = p.community_id
    GROUP BY r.id, r.action, r.goal, r.requested_by, r.created_at`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { moving, awaiting, done, failed } = row.counts;
  const states = [
    ...Array(moving).fill('moving'),
    ...Array(awaiting).fill('awaiting'),
    ...Array(done).fill('done'),
    ...Array(failed).fill('failed'),
  ];
  return { ...row, state: runProgressOf(states), pools: states.length };
}

/** The pools that failed in the latest run, and the run; null: there was none. */
export async function findFailedItems(
  tx: Tx,
): Promise<{ runId: string; goal: 'start' | 'stop'; poolIds: string[] } | null> {
  const run = await findRun(tx);
  return run && { runId: run.id, goal: run.goal, poolIds: run.failed.map(({ pool_id }) => pool_id) };
}
