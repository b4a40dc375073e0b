import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import { CHAIN_START, type ChainedEntry, chainHash } from './audit.ts';

export type AuditVerdict =
  | { intact: true; entries: number; headHash: string }
  | { intact: false; seq: string; reason: 'missing_entry' | 'altered_entry' | 'broken_link' };

/**
 * Recomputes the chain from what the entries say, page by page. It finds edits, deletions, insertions and
 * reordering; a cut-off tail shows only against a head hash that was noted elsewhere before.
 */
export async function verifyAudit(db: Kysely<DB>, key: Buffer, pageSize = 1000): Promise<AuditVerdict> {
  let previous: Buffer = CHAIN_START;
  let seq = 0n;
  for (;;) {
    const { rows } = await sql<Omit<ChainedEntry, 'at'> & { at: Date; previous_hash: Buffer; hash: Buffer }>`
      SELECT seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before, after, request_id,
             previous_hash, hash
      FROM audit_entry WHERE seq > ${seq.toString()} ORDER BY seq LIMIT ${pageSize}`.execute(db);
    for (const { previous_hash, hash, at, ...rest } of rows) {
      seq += 1n;
      if (rest.seq !== seq.toString()) return { intact: false, seq: seq.toString(), reason: 'missing_entry' };
      if (!previous_hash.equals(previous)) return { intact: false, seq: rest.seq, reason: 'broken_link' };
      const { seq: entrySeq, ...fields } = rest;
      if (!chainHash(key, previous, { seq: entrySeq, at: at.toISOString(), ...fields }).equals(hash))
        return { intact: false, seq: rest.seq, reason: 'altered_entry' };
      previous = hash;
    }
    if (rows.length < pageSize)
      return { intact: true, entries: Number(seq), headHash: previous.toString('hex') };
  }
}
