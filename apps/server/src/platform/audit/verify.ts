import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import { checkHashes, listEntries, type StoredEntry } from './chain.views.ts';
import { type AuditKeys, CHAIN_START } from './entry-hashes.ts';

export type AuditVerdict =
  | {
      intact: true;
      entries: number;
      headHash: string;
      /** Entries of workers whose own hash was not checked, for want of their key. */
      unchecked: number;
      /** Entries that are not from the program that they claim: of a worker, without the hash of its key. */
      foreign: { count: number; firstSeq: string } | null;
    }
  | { intact: false; seq: string; reason: 'missing_entry' | 'altered_entry' | 'broken_link' };

/**
 * Recomputes the chain from its entries, page by page. Finds edits, deletions, insertions and reordering; only a head
 * hash noted elsewhere can reveal a cut-off tail. Whoever has the key of the chain can append entries under the name of
 * the worker, but not with the hash of its key: such entries do not end the check.
 */
export async function verifyAudit(db: Kysely<DB>, keys: AuditKeys, pageSize = 1000): Promise<AuditVerdict> {
  let previous: Buffer = CHAIN_START;
  let seq = 0n;
  let unchecked = 0;
  let foreignCount = 0;
  let firstForeign: string | null = null;
  let isWorkerKeyed = false;
  for (;;) {
    const entries = await listEntries(db, { afterSeq: seq.toString(), limit: pageSize });
    for (const entry of entries) {
      seq += 1n;
      if (entry.seq !== seq.toString())
        return { intact: false, seq: seq.toString(), reason: 'missing_entry' };
      if (!entry.previous_hash.equals(previous))
        return { intact: false, seq: entry.seq, reason: 'broken_link' };
      const found = checkHashes(keys, entry);
      if (found === 'altered') return { intact: false, seq: entry.seq, reason: 'altered_entry' };
      if (found === 'unchecked') unchecked += 1;
      if (found === 'foreign' || (isWorkerKeyed && isOfWorker(entry) && entry.keyed_by !== 'worker')) {
        foreignCount += 1;
        firstForeign ??= entry.seq;
      }
      isWorkerKeyed ||= entry.keyed_by === 'worker' && found !== 'foreign';
      previous = entry.hash;
    }
    if (entries.length === pageSize) continue;
    const foreign = firstForeign === null ? null : { count: foreignCount, firstSeq: firstForeign };
    return { intact: true, entries: Number(seq), headHash: previous.toString('hex'), unchecked, foreign };
  }
}

const isOfWorker = (entry: StoredEntry): boolean =>
  entry.actor_kind === WORKER_ACTOR.kind && entry.actor_id === WORKER_ACTOR.id;
