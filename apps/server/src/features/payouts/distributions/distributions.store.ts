import { type RawBuilder, sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

export interface NewDistribution {
  communityId: string;
  state: 'awaiting_approval' | 'approved';
  units: bigint;
  /** One of its payouts is above the largest one. */
  isAboveMaximum: boolean;
  /** The payout run that it is part of. */
  runId?: string | undefined;
}

/** Writes a distribution in the name of its requester. */
export async function insertDistribution(
  tx: WriteTx,
  { communityId, state, units, isAboveMaximum, runId }: NewDistribution,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO distribution (community_id, state, amount_units, is_above_maximum, run_id, requested_by_id, requested_by)
    VALUES (${communityId}, ${state}, ${units.toString()}, ${isAboveMaximum}, ${runId ?? null}, ${tx.actor.id},
      ${tx.actor.name})
    RETURNING id`.execute(tx.sql);
  return rows[0]?.id as string;
}

/** The community of a distribution, which never changes; null when the distribution does not exist. */
export async function findCommunityOf(tx: WriteTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ community_id: string }>`
    SELECT d.community_id FROM distribution d
    WHERE d.id = ${id} AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
  return rows[0]?.community_id ?? null;
}

export interface LockedDistribution {
  id: string;
  communityId: string;
  state: 'awaiting_approval' | 'approved' | 'declined';
  requestedById: string;
  units: string;
  isAboveMaximum: boolean;
  /** The payout run with which it is decided; null: it was ordered alone. */
  runId: string | null;
  /** The first of the two who approve what is above the largest payout; null: none yet. */
  firstApprovedById: string | null;
  payoutIds: string[];
}

/** Reads a distribution under the lock of its community. Every decision about a distribution takes this lock. */
export async function getLockedDistribution(tx: WriteTx, id: string): Promise<LockedDistribution> {
  const [row] = await lockDistributions(tx, sql`d.id = ${id}`);
  if (!row) throw new Error(`there is no distribution ${id}`);
  return row;
}

/** Reads those of a payout run, under the locks of their communities. */
export const listLockedOfRun = (tx: WriteTx, runId: string): Promise<LockedDistribution[]> =>
  lockDistributions(tx, sql`d.run_id = ${runId}`);

async function lockDistributions(tx: WriteTx, condition: RawBuilder<unknown>): Promise<LockedDistribution[]> {
  const { rows } = await sql<LockedDistribution>`
    SELECT d.id, d.community_id AS "communityId", d.state, d.requested_by_id AS "requestedById",
      d.amount_units::text AS units, d.is_above_maximum AS "isAboveMaximum",
      d.run_id AS "runId", d.first_approved_by_id AS "firstApprovedById",
      ARRAY(SELECT o.id FROM payout o WHERE o.distribution_id = d.id ORDER BY o.id) AS "payoutIds"
    FROM distribution d WHERE ${condition} AND ${communityInScope(tx, 'd.community_id')}
    ORDER BY d.id FOR NO KEY UPDATE`.execute(tx.sql);
  return rows;
}

/** Records the first of two approvals. */
export async function recordFirstApproval(tx: WriteTx, id: string): Promise<void> {
  await sql`
    UPDATE distribution d SET first_approved_by_id = ${tx.actor.id}, first_approved_by = ${tx.actor.name},
      first_approved_at = now()
    WHERE d.id = ${id} AND d.state = 'awaiting_approval' AND d.first_approved_by_id IS NULL
      AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
}

/** Records the decision and its author. */
export async function decide(tx: WriteTx, id: string, state: 'approved' | 'declined'): Promise<void> {
  await sql`
    UPDATE distribution d SET state = ${state}, decided_by_id = ${tx.actor.id}, decided_by = ${tx.actor.name},
      decided_at = now()
    WHERE d.id = ${id} AND d.state = 'awaiting_approval'
      AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
}
