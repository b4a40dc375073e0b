import type { Resolution } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For super admins, who see every row.

export type ResolutionKind = Resolution | 'abort';

/** A decision that one super admin proposed for the present state of a cycle. */
export interface Proposal {
  id: string;
  kind: ResolutionKind;
  evidence: string;
  requestedById: string;
  requestedBy: string;
  at: string;
}

/** The latest proposal for this version of a cycle: any change of the cycle ends it. */
export async function findProposal(
  tx: Tx,
  { id, version }: { id: string; version: number },
): Promise<Proposal | null> {
  const { rows } = await sql<Proposal>`
    SELECT r.id, r.kind, r.evidence, r.requested_by_id AS "requestedById", r.requested_by AS "requestedBy",
      app.iso(r.created_at) AS at
    FROM harvest_resolution r WHERE r.cycle_id = ${id} AND r.version = ${version} AND r.replaced_at IS NULL`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

/** Stores a proposal in place of the one that waits for confirmation. The caller has locked the cycle. */
export async function replaceProposal(
  tx: WriteTx,
  { id, version }: { id: string; version: number },
  { kind, evidence }: Pick<Proposal, 'kind' | 'evidence'>,
): Promise<void> {
  await sql`UPDATE harvest_resolution SET replaced_at = now()
    WHERE cycle_id = ${id} AND version = ${version} AND replaced_at IS NULL`.execute(tx.sql);
  await sql`
    INSERT INTO harvest_resolution (cycle_id, version, kind, evidence, requested_by_id, requested_by)
    VALUES (${id}, ${version}, ${kind}, ${evidence}, ${tx.actor.id}, ${tx.actor.name})`.execute(tx.sql);
}
