import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

// Whether payments are stopped, for code that signs or counts time toward a deadline.

/**
 * Whether transfers may be signed, which then holds until the end of this transaction: a stop waits for it. Take it last,
 * right before signing.
 */
export async function holdTransferGate(tx: WriteTx): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`SELECT app.hold_transfer_gate() AS "isOpen"`.execute(
    tx.sql,
  );
  return rows[0]?.isOpen ?? false;
}

/** Whether a stop holds now. For everything but signing. */
export async function isStopped(tx: Tx): Promise<boolean> {
  const { rows } = await sql`SELECT FROM transfer_gate WHERE stopped_since IS NULL`.execute(tx.sql);
  return rows.length === 0;
}

/** How much of the time since then belongs to stops that were lifted, ms. */
export async function sumStoppedMs(tx: Tx, since: Date): Promise<number> {
  const { rows } = await sql<{ ms: string }>`
    SELECT floor(coalesce(sum(extract(epoch FROM s.lifted_at - greatest(s.stopped_at, ${since}::timestamptz))), 0)
      * 1000)::text AS ms
    FROM transfer_stop s WHERE s.lifted_at > ${since}`.execute(tx.sql);
  return Number(rows[0]?.ms ?? 0);
}

/**
 * Lets transfers be sent for an hour that no standby has stored, for an operator on the machine of a worker whose standby
 * is gone.
 * @returns until when
 */
export async function forgetStandby(tx: WriteTx, reason: string): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`SELECT app.forget_standby() AS until`.execute(tx.sql);
  if (!rows[0]) throw new Error('the gate of transfers has one row');
  const { until } = rows[0];
  tx.audit({
    action: 'payments.standby_forgotten',
    target: { kind: 'database', id: 'copydesk' },
    after: { reason, until: until.toISOString() },
  });
  return until;
}

/** What stops all payments. */
export interface Stop {
  origin: 'console' | 'command' | 'alert';
  reason: string;
}

/**
 * Stops all payments, at once for every worker, under the actor of the transaction.
 * @returns whether this call did it: an earlier stop goes on
 */
export async function stopPayments(tx: WriteTx, { origin, reason }: Stop): Promise<boolean> {
  const { id, name } = tx.actor;
  const { rows } = await sql<{ id: string | null }>`
    SELECT app.stop_payments(${origin}, ${reason}, ${id}, ${name}) AS id`.execute(tx.sql);
  const stopId = rows[0]?.id ?? null;
  if (stopId === null) return false;
  tx.audit({ action: 'payments.stopped', target: { kind: 'stop', id: stopId }, after: { reason, origin } });
  return true;
}
