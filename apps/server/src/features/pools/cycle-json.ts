import { sql } from 'kysely';

/** While payments are stopped, the time that is left stays the same. */
const deadlineAt = sql`h.deadline_at + coalesce((SELECT now() - greatest(g.stopped_since,
  CASE WHEN h.status = 'processing_invoices' THEN h.step_since ELSE h.since END) FROM transfer_gate g
  WHERE g.stopped_since IS NOT NULL), interval '0')`;

/** The columns of a harvest cycle `h` on the wire. */
export const cycleColumns = sql`'id', h.id, 'cycle_number', h.cycle_number, 'status', h.status, 'step', h.step,
  'version', h.version, 'since', app.iso(h.since), 'deadline_at', app.iso(${deadlineAt}), 'reason', h.reason,
  'step_since', app.iso(h.step_since), 'is_resume_awaited', h.status = 'stopped' AND h.trading_command IS NOT DISTINCT FROM 'resume'
    AND h.trading_acknowledged_at IS NULL`;

export const cycleJson = sql`json_build_object(${cycleColumns})`;
