import type { Replication } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** What the database of this transaction says of its standbys, now: not as of the beginning of the transaction. */
export async function readReplication(tx: Tx): Promise<Replication> {
  const { rows } = await sql<
    Omit<Replication, 'flushed' | 'confirmed'> & Record<'flushed' | 'confirmed', string | null>
  >`
    SELECT r.timeline, (r.flushed - '0/0'::pg_lsn)::text AS flushed, (r.confirmed - '0/0'::pg_lsn)::text AS confirmed,
      r.names, r.wanted, r.connected, r.is_hidden AS "isHidden",
      CASE WHEN g.standby_forgotten_until > now() THEN g.standby_forgotten_until END AS "forgottenUntil"
    FROM app.replication() r CROSS JOIN transfer_gate g`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error('the gate of transfers has one row');
  const { flushed, confirmed, ...rest } = row;
  return { ...rest, flushed: BigInt(flushed ?? 0), confirmed: confirmed === null ? null : BigInt(confirmed) };
}
