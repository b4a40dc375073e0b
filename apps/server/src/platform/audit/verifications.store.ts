import { sql } from 'kysely';
import type { Tx, WriteTx } from '../db/database.ts';
import type { AuditVerdict } from './verify.ts';

/** A check of the whole chain. */
export interface Verification {
  /** ISO times. */
  requested_at: string;
  requested_by: string;
  finished_at: string | null;
  /** Null until it is finished. */
  is_intact: boolean | null;
  entries: number | null;
  head_hash: string | null;
  problem: 'missing_entry' | 'altered_entry' | 'broken_link' | null;
  problem_seq: string | null;
  /** Entries of workers whose own hash was not checked, for want of their key. */
  unchecked_entries: number | null;
  /** Entries under the worker's name without the hash of its key, and the first of them. */
  foreign_entries: number | null;
  foreign_seq: string | null;
}

const columns = sql`app.iso(v.requested_at) AS requested_at, v.requested_by, app.iso(v.finished_at) AS finished_at, v.is_intact,
  v.entries::int AS entries, v.head_hash, v.problem, v.problem_seq::text AS problem_seq,
  v.unchecked_entries::int AS unchecked_entries, v.foreign_entries::int AS foreign_entries,
  v.foreign_seq::text AS foreign_seq`;

/** Requests a check, unless one is open already. */
export async function requestVerification(tx: WriteTx, requestedBy: string): Promise<void> {
  await sql`INSERT INTO audit_verification (requested_by) VALUES (${requestedBy}) ON CONFLICT DO NOTHING`.execute(
    tx.sql,
  );
}

/** The open check, and the newest finished one. */
export async function readVerifications(
  tx: Tx,
): Promise<{ open: Verification | null; last: Verification | null }> {
  const { rows } = await sql<Verification>`
    (SELECT ${columns} FROM audit_verification v WHERE v.finished_at IS NULL)
    UNION ALL
    (SELECT ${columns} FROM audit_verification v WHERE v.finished_at IS NOT NULL ORDER BY v.requested_at DESC LIMIT 1)`.execute(
    tx.sql,
  );
  return {
    open: rows.find(({ is_intact }) => is_intact === null) ?? null,
    last: rows.find(({ is_intact }) => is_intact !== null) ?? null,
  };
}

/** A worker that takes longer is taken for dead, and another one starts the check again. */
const PATIENCE = sql.lit('30 minutes');

/** Claims the open check for this worker. @returns its id; null when there is none, or another worker is at it */
export async function claimVerification(tx: WriteTx): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    UPDATE audit_verification SET started_at = now()
    WHERE finished_at IS NULL AND (started_at IS NULL OR started_at < now() - interval ${PATIENCE})
    RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

export async function finishVerification(tx: WriteTx, id: string, verdict: AuditVerdict): Promise<void> {
  const found = verdict.intact ? verdict : { entries: null, headHash: null, unchecked: null, foreign: null };
  const { seq, reason } = verdict.intact ? { seq: null, reason: null } : verdict;
  await sql`
    UPDATE audit_verification SET finished_at = now(), is_intact = ${verdict.intact}, entries = ${found.entries},
      head_hash = ${found.headHash}, problem_seq = ${seq}, problem = ${reason},
      unchecked_entries = ${found.unchecked}, foreign_entries = ${found.foreign?.count ?? (verdict.intact ? 0 : null)},
      foreign_seq = ${found.foreign?.firstSeq ?? null}
    WHERE id = ${id} AND finished_at IS NULL`.execute(tx.sql);
}
