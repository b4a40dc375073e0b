import { sql } from 'kysely';

/** The columns of a harvest cycle `h` on the wire. */
export const cycleColumns = sql`'id', h.id, 'cycle_number', h.cycle_number, 'status', h.status, 'step', h.step,
  'version', h.version, 'since', app.iso(h.since), 'deadline_at', app.iso(h.deadline_at), 'reason', h.reason`;

export const cycleJson = sql`json_build_object(${cycleColumns})`;
