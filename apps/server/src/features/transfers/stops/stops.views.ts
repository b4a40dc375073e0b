import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';

type State = CallAnswer<'GET /api/payments/stop'>['data'];
type Stop = NonNullable<State['stop']>;
type Lift = NonNullable<Stop['lift']>;
type Listed = CallAnswer<'GET /api/payments/stops'>['data'][number];

/** Whether payments are stopped. Row-level security keeps who did it, and why, from all but super admins. */
export async function readStop(tx: Tx, rules: ApproverRules, callerId: string): Promise<State> {
  const { rows } = await sql<{
    stopped_since: string | null;
    stop: (Omit<Stop, 'lift'> & { lift: Omit<Lift, 'refusal'> | null }) | null;
  }>`
    SELECT app.iso(g.stopped_since) AS stopped_since, (
      SELECT json_build_object('id', s.id, 'reason', s.reason, 'origin', s.origin, 'stopped_at', app.iso(s.stopped_at),
        'stopped_by', s.stopped_by, 'lift', (
          SELECT json_build_object('id', l.id, 'reason', l.reason, 'state', l.state,
            'requested_at', app.iso(l.requested_at), 'requested_by', l.requested_by,
            'requested_by_id', l.requested_by_id, 'decided_by', l.decided_by)
          FROM transfer_stop_lift l WHERE l.stop_id = s.id AND l.state IN ('waiting', 'confirmed')))
      FROM transfer_stop s WHERE s.lifted_at IS NULL) AS stop
    FROM transfer_gate g`.execute(tx.sql);
  const { stopped_since = null, stop = null } = rows[0] ?? {};
  if (!stop?.lift) return { stopped_since, stop: stop && { ...stop, lift: null } };
  const { lift } = stop;
  const refusalOf = await readApprovers(tx, rules, callerId, [lift.requested_by_id]);
  const refusal = refusalOf(lift.requested_by_id)?.message ?? null;
  return { stopped_since, stop: { ...stop, lift: { ...lift, refusal } } };
}

/** A page of stops, newest first, and the number of all. */
export async function listStops(
  tx: Tx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: Listed[]; meta: { total: number } }> {
  const { rows } = await sql<Listed>`
    SELECT s.id, s.reason, s.origin, app.iso(s.stopped_at) AS stopped_at, s.stopped_by,
      app.iso(s.lifted_at) AS lifted_at, s.lifted_by, l.requested_by AS lift_requested_by, s.lift_reason
    FROM transfer_stop s LEFT JOIN transfer_stop_lift l ON l.stop_id = s.id AND l.state = 'lifted'
    ORDER BY s.stopped_at DESC, s.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const counted = await sql<{
    total: number;
  }>`SELECT count(*)::int AS total FROM transfer_stop`.execute(tx.sql);
  return { data: rows, meta: { total: counted.rows[0]?.total ?? 0 } };
}
