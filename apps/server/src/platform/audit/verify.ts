import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.ts';
import { CHAIN_START } from './audit.ts';
import { hasItsHash, listEntries } from './chain.views.ts';

export type AuditVerdict =
  | { intact: true; entries: number; headHash: string }
  | { intact: false; seq: string; reason: 'missing_entry' | 'altered_entry' | 'broken_link' };

/**
 * Recomputes the chain from its entries, page by page. Finds edits, deletions, insertions and reordering; only a head
 * hash noted elsewhere can reveal a cut-off tail.
 */
export async function verifyAudit(db: Kysely<DB>, key: Buffer, pageSize = 1000): Promise<AuditVerdict> {
  let previous: Buffer = CHAIN_START;
  let seq = 0n;
  for (;;) {
    const entries = await listEntries(db, { afterSeq: seq.toString(), limit: pageSize });
    for (const entry of entries) {
      seq += 1n;
      if (entry.seq !== seq.toString())
        return { intact: false, seq: seq.toString(), reason: 'missing_entry' };
      if (!entry.previous_hash.equals(previous))
        return { intact: false, seq: entry.seq, reason: 'broken_link' };
      if (!hasItsHash(key, entry)) return { intact: false, seq: entry.seq, reason: 'altered_entry' };
      previous = entry.hash;
    }
    if (entries.length < pageSize)
      return { intact: true, entries: Number(seq), headHash: previous.toString('hex') };
  }
}
