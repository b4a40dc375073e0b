import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import {
  checkHashes,
  checkSeal,
  countUnsealed,
  findRemoved,
  findStart,
  findUnchained,
  listEntries,
  listSeals,
  listUnsealed,
  type StoredEntry,
  type StoredSeal,
} from './chain.views.ts';
import { type AuditKeys, CHAIN_START } from './entry-hashes.ts';

type Broken = {
  intact: false;
  /** The number of the entry. */
  seq: string;
  reason: 'missing_entry' | 'altered_entry' | 'broken_link';
};

export type AuditVerdict =
  | {
      intact: true;
      /** Entries of the chain. */
      entries: number;
      headHash: string;
      /** Entries of workers whose own hash was not checked, for want of their key. */
      unchecked: number;
      /** Entries that are not from the program that they claim: of a worker, without the hash of its key. */
      foreign: { count: number; firstSeq: string } | null;
      /** Entries that a worker has yet to seal. */
      unsealed: number;
    }
  | Broken;

/** Of the entries that wait, these are compared with their own hashes; the others are once they are sealed. */
const WAITING_CHECKED = 1_000;

/**
 * Recomputes the chain from its entries, page by page. Finds edits, deletions, insertions and reordering, and entries
 * that were removed before they were sealed; only a head hash noted elsewhere can reveal a cut-off tail. Whoever has the
 * key of the chain can write entries under the name of the worker, but not with the hash of its key: such entries do not
 * end the check.
 */
export async function verifyAudit(db: Kysely<DB>, keys: AuditKeys, pageSize = 1000): Promise<AuditVerdict> {
  const start = await findStart(db);
  const tally = createTally();
  let previous: Buffer = CHAIN_START;
  let position = 0n;
  if (start?.seal_keyed_by === null) {
    const end = await verifyFirstChain(db, keys, tally, start, pageSize);
    if ('reason' in end) return end;
    ({ previous, position } = end);
  }
  for (;;) {
    const seals = await listSeals(db, { after: position.toString(), limit: pageSize });
    for (const seal of seals) {
      position += 1n;
      if (seal.position !== position.toString() || seal.seq === null)
        return broken('missing_entry', seal.sealed_seq);
      const found = checkHashes(keys, seal);
      const foundSeal = checkSeal(keys, previous, seal, seal);
      if (found === 'altered' || foundSeal === 'altered') return broken('altered_entry', seal.seq);
      tally.count(seal, found);
      tally.countSeal(seal, foundSeal);
      previous = seal.seal_hash;
    }
    if (seals.length < pageSize) break;
  }
  for (const entry of await listUnsealed(db, WAITING_CHECKED)) {
    const found = checkHashes(keys, entry);
    if (found === 'altered') return broken('altered_entry', entry.seq);
    tally.count(entry, found);
  }
  const removed = await findRemoved(db);
  if (removed !== null) return broken('missing_entry', removed);
  const unchained = await findUnchained(db);
  if (unchained !== null) return broken('broken_link', unchained);
  return {
    intact: true,
    entries: Number(position),
    headHash: previous.toString('hex'),
    unsealed: await countUnsealed(db),
    ...tally.sum(),
  };
}

const broken = (reason: Broken['reason'], seq: string): Broken => ({ intact: false, seq, reason });

/** The chain of the entries before there were seals, which are numbered without a gap, up to the seal that continues it. */
async function verifyFirstChain(
  db: Kysely<DB>,
  keys: AuditKeys,
  tally: Tally,
  { position: upTo, seal_hash: hash }: StoredSeal,
  pageSize: number,
): Promise<{ previous: Buffer; position: bigint } | Broken> {
  let previous: Buffer = CHAIN_START;
  let seq = 0n;
  for (;;) {
    const entries = await listEntries(db, { afterSeq: seq.toString(), upTo, limit: pageSize });
    for (const entry of entries) {
      seq += 1n;
      if (entry.seq !== seq.toString()) return broken('missing_entry', seq.toString());
      if (!entry.previous_hash?.equals(previous)) return broken('broken_link', entry.seq);
      const found = checkHashes(keys, entry);
      if (found === 'altered' || entry.hash === null) return broken('altered_entry', entry.seq);
      tally.count(entry, found);
      previous = entry.hash;
    }
    if (entries.length < pageSize) break;
  }
  if (seq.toString() !== upTo) return broken('missing_entry', (seq + 1n).toString());
  return previous.equals(hash) ? { previous, position: seq } : broken('broken_link', upTo);
}

type Tally = ReturnType<typeof createTally>;

/** Counts what does not end a check. */
function createTally() {
  let unchecked = 0;
  let foreignCount = 0;
  let firstForeign: string | null = null;
  let isWorkerKeyed = false;
  let isSealKeyed = false;
  const countForeign = (seq: string) => {
    foreignCount += 1;
    firstForeign ??= seq;
  };
  return {
    count(entry: StoredEntry, found: string) {
      if (found === 'unchecked') unchecked += 1;
      if (found === 'foreign' || (isWorkerKeyed && isOfWorker(entry) && entry.keyed_by !== 'worker'))
        countForeign(entry.seq);
      isWorkerKeyed ||= entry.keyed_by === 'worker' && found !== 'foreign';
    },
    /** A seal is a worker's: from the first under the key of the workers on, every one has to be. */
    countSeal({ seal_keyed_by: keyedBy, sealed_seq: seq }: StoredSeal, found: string) {
      if (found === 'foreign' || (isSealKeyed && keyedBy !== 'worker')) countForeign(seq);
      isSealKeyed ||= keyedBy === 'worker' && found !== 'foreign';
    },
    sum: () => ({
      unchecked,
      foreign: firstForeign === null ? null : { count: foreignCount, firstSeq: firstForeign },
    }),
  };
}

const isOfWorker = (entry: StoredEntry): boolean =>
  entry.actor_kind === WORKER_ACTOR.kind && entry.actor_id === WORKER_ACTOR.id;
