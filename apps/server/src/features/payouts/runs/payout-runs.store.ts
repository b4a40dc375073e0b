import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

export interface NewRun {
  communities: number;
  units: bigint;
  /** Hash of what its author saw. */
  seen: string;
  minimumUnits: bigint;
  carriedUnits: bigint;
}

/** Writes a run in the name of its requester. Its distributions follow in the same transaction. */
export async function insertRun(
  tx: WriteTx,
  { communities, units, seen, minimumUnits, carriedUnits }: NewRun,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO payout_run (communities, amount_units, seen, minimum_units, carried_units, requested_by_id, requested_by)
    VALUES (${communities}, ${units.toString()}, ${seen}, ${minimumUnits.toString()}, ${carriedUnits.toString()},
      ${tx.actor.id}, ${tx.actor.name})
    RETURNING id`.execute(tx.sql);
  return rows[0]?.id as string;
}

/**
 * The constant fields of a run, and whether it awaits approval, which is reliable only under the locks of its
 * communities.
 */
export interface FoundRun {
  seen: string;
  requestedById: string;
  communityIds: string[];
  isAwaiting: boolean;
}

export async function findRun(tx: Tx, id: string): Promise<FoundRun | null> {
  const { rows } = await sql<FoundRun>`
    SELECT r.seen, r.requested_by_id AS "requestedById",
      ARRAY(SELECT d.community_id FROM distribution d WHERE d.run_id = r.id ORDER BY 1) AS "communityIds",
      EXISTS (SELECT FROM distribution d WHERE d.run_id = r.id AND d.state = 'awaiting_approval') AS "isAwaiting"
    FROM payout_run r WHERE r.id = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}
