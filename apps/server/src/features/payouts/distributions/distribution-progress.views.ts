import type { CallAnswer } from '@copydesk/contract';
import type { PayoutStatus } from '@copydesk/domain/catalogue';
import { isAtStandstill, PAYOUT_STEPS, type PayoutStep, progressOf } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { currentTransfers, type PayoutWait, worstWait } from '../payout-waits.views.ts';

type Listed = CallAnswer<'GET /api/super-admin/communities/{id}/distributions'>['data'][number];
export type Progress = Pick<Listed, 'progress' | 'payouts' | 'standstill'>;

/** Number of recent transfers of each kind that give the usual duration of a step. */
const RECENT = 50;

interface Row {
  id: string;
  counts: Partial<Record<PayoutStatus, number>>;
  ordered_again: number;
  has_begun: boolean | null;
  wait: PayoutWait | null;
  step: PayoutStep | null;
  since: Date | null;
}

/**
 * Progress of approved distributions, by id. The cost grows with the shares of the distributions under way; for
 * completed ones only payouts are counted.
 */
export async function readProgress(
  tx: Tx,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Progress>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    SELECT d.id, n.counts, n.ordered_again, on_way.has_begun, on_way.wait, on_way.step, on_way.since
    FROM distribution d
    CROSS JOIN LATERAL (
      SELECT coalesce(json_object_agg(s.status, s.payouts) FILTER (WHERE s.payouts > 0), '{}') AS counts,
        coalesce(sum(s.again), 0)::int AS ordered_again,
        bool_or(s.payouts > 0 AND s.status NOT IN ('distributed', 'failed')) AS is_under_way
      FROM (SELECT o.status, count(*) FILTER (WHERE o.problem IS DISTINCT FROM 'sent_again')::int AS payouts,
          count(*) FILTER (WHERE o.problem = 'sent_again')::int AS again
        FROM payout o WHERE o.distribution_id = d.id GROUP BY o.status) s) n
    LEFT JOIN LATERAL (
      SELECT EXISTS (
          SELECT FROM payout o JOIN transfer t ON t.payout_id = o.id
          WHERE o.distribution_id = d.id AND t.nonce IS NOT NULL) OR EXISTS (
          -- Earlier consolidations of another distribution do not count as the start of this one.
          SELECT FROM payout o JOIN payable y ON y.payout_id = o.id
          JOIN transfer c ON c.id = y.consolidation_id
          WHERE o.distribution_id = d.id AND c.nonce IS NOT NULL AND c.created_at >= d.created_at) AS has_begun,
        ${worstWait(payoutsUnderWay)} AS wait, step.kind AS step, step.since
      FROM (
        -- The oldest step that has not ended. Other transfers of the distribution that end meanwhile are progress.
        SELECT i.kind, greatest(i.created_at, (
            SELECT max(c.ended_at) FROM payout o
            JOIN payable y ON y.payout_id = o.id JOIN transfer c ON c.id = y.consolidation_id
            WHERE o.distribution_id = d.id), (
            SELECT max(t.ended_at) FROM payout o JOIN transfer t ON t.payout_id = o.id
            WHERE o.distribution_id = d.id)) AS since
        FROM (${currentTransfers(payoutsUnderWay)}) mine JOIN transfer i ON i.id = mine.id
        ORDER BY i.created_at, i.kind LIMIT 1) step) on_way ON n.is_under_way
    WHERE d.id = ANY (${[...ids]}::uuid[])`.execute(tx.sql);
  const usual = rows.some(({ step }) => step !== null) ? await readUsual(tx) : null;
  return new Map(
    rows.map((row) => [row.id, describe(row, usual?.get(row.step ?? 'distribute') ?? null, now)]),
  );
}

const payoutsUnderWay = sql`SELECT o.id FROM payout o
  WHERE o.distribution_id = d.id AND o.status NOT IN ('distributed', 'failed')`;

/** Median duration of each step in ms, from the latest transfers that became final. */
async function readUsual(tx: Tx): Promise<ReadonlyMap<PayoutStep, number | null>> {
  const { rows } = await sql<{ step: PayoutStep; ms: number | null }>`
    SELECT k.step, (percentile_cont(0.5) WITHIN GROUP (
        ORDER BY extract(epoch FROM recent.ended_at - recent.began_at)) * 1000)::float8 AS ms
    FROM unnest(${[...PAYOUT_STEPS]}::text[]) k (step)
    LEFT JOIN LATERAL (
      SELECT i.ended_at, greatest(i.created_at, (
        SELECT max(c.ended_at) FROM payable y JOIN transfer c ON c.id = y.consolidation_id
        WHERE y.payout_id = i.payout_id AND c.ended_at <= i.ended_at)) AS began_at
      FROM transfer i WHERE i.kind = k.step AND i.state = 'final'
      ORDER BY i.ended_at DESC LIMIT ${sql.lit(RECENT)}) recent ON true
    GROUP BY k.step`.execute(tx.sql);
  return new Map(rows.map(({ step, ms }) => [step, ms]));
}

function describe(row: Row, usualMs: number | null, now: Date): Progress {
  const { counts, wait, step, since } = row;
  const waiting = {
    waitReason: wait?.reason ?? null,
    standing: step && since && { step, standingMs: now.getTime() - since.getTime(), usualMs },
  };
  const { distributed = 0, failed = 0 } = counts;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    progress: progressOf({ counts, hasBegun: row.has_begun ?? true, ...waiting }),
    payouts: {
      distributed,
      failed,
      under_way: all - distributed - failed,
      ordered_again: row.ordered_again,
    },
    standstill:
      wait && step && since && isAtStandstill(waiting)
        ? {
            reason: wait.reason,
            detail: wait.detail,
            address: wait.address,
            step,
            since: since.toISOString(),
            usual_seconds: usualMs === null ? null : Math.round(usualMs / 1000),
          }
        : null,
  };
}
