import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../db/database.ts';
import { deleteInBatches } from '../../db/delete-in-batches.ts';
import type { RefusedAttempts } from './collect-refusals.ts';

const ACTOR = { kind: 'system', id: 'security-log', name: 'Security log' } as const;

/** Adds counted attempts to the rows of their hour. Rows are sorted, so concurrent writers take turns. */
export async function countAttempts(db: Database, rows: readonly RefusedAttempts[]): Promise<void> {
  await db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    await sql`
      INSERT INTO refused_attempt AS r (hour, kind, code, call, caller_kind, caller_id, caller_name, network, address,
        first_at, last_at, count, request_id)
      SELECT n.hour, n.kind, n.code, n.call, n.caller_kind, n.caller_id, n.caller_name, n.network, n.address,
        n.first_at, n.last_at, n.count, n.request_id
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (hour timestamptz, kind text, code text, call text,
        caller_kind text, caller_id text, caller_name text, network text, address text, first_at timestamptz,
        last_at timestamptz, count bigint, request_id text)
      ORDER BY n.hour, n.code, n.call, n.caller_kind, n.caller_id, n.network
      ON CONFLICT ON CONSTRAINT refused_attempt_key DO UPDATE SET count = r.count + excluded.count,
        last_at = greatest(r.last_at, excluded.last_at), caller_name = excluded.caller_name,
        address = excluded.address, request_id = excluded.request_id`.execute(tx.sql);
  });
}

/**
 * Deletes the rows older than `keptDays` days.
 * @param keptDays at least 180: the database refuses to delete a younger row
 * @returns the number of deleted rows
 */
export function pruneAttempts(db: Database, keptDays: number): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM refused_attempt WHERE ctid = ANY (ARRAY(
          SELECT r.ctid FROM refused_attempt r WHERE r.last_at < now() - make_interval(days => ${keptDays})
          LIMIT ${limit}))`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
