import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { cycleColumns, cycleJson } from './cycle-json.ts';

type HarvestStatusAnswer = CallAnswer<'GET /api/pooled-accounts/{id}/harvest/status'>['data'];

/** Cycles shown beside the current one. */
const SHOWN = 50;

/** The current cycle of a pool and the latest earlier ones, newest first. */
export async function findCycles(tx: AnyTx, poolId: string): Promise<HarvestStatusAnswer | null> {
  const { rows } = await sql<HarvestStatusAnswer>`
    SELECT app.iso(now()) AS as_of, ${cycleJson} AS current, (
        SELECT coalesce(json_agg(json_build_object('at', app.iso(s.at),
          'step', regexp_replace(s.to_state, '^.*/', '')) ORDER BY s.id), '[]')
        FROM saga_event s
        WHERE s.saga = 'harvest' AND s.saga_id = h.id AND s.from_state <> s.to_state) AS entered, (
        SELECT coalesce(json_agg(e.cycle ORDER BY e.cycle_number DESC), '[]') FROM (
          SELECT h.cycle_number, json_build_object(${cycleColumns}, 'started_at', app.iso(h.started_at),
            'ended_at', app.iso(h.ended_at)) AS cycle
          FROM harvest_cycle h WHERE h.pooled_account_id = p.id AND h.ended_at IS NOT NULL
          ORDER BY h.cycle_number DESC LIMIT ${sql.lit(SHOWN)}) e) AS cycles
    FROM pooled_account p JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
    WHERE p.id = ${poolId} AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  return rows[0] ?? null;
}
