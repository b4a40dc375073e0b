import { join } from 'node:path';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import type { Logger } from '../observe/log.ts';
import { findHash, findHead, findRemoved } from './chain.views.ts';
import { type NotedHead, readLastHead, recordHead } from './head-file.ts';

const EVERY_MS = 10 * 60_000;
const FILE_NAME = 'audit-heads.jsonl';

type Problem = HeadProblem | 'unreadable';

const EXPLANATIONS: Record<HeadProblem, string> = {
  cut: 'Audit entries are missing at the end of the chain',
  rewritten: 'Audit entries were replaced by others',
  replaced: 'The database has another audit chain than the one noted in the data folder',
  removed: 'Audit entries were removed before they were sealed',
};

export interface HeadWatch {
  /** The problem that the last comparison found, or null. */
  problem(): Problem | null;
  /** The head that is noted outside of the database; null: none. */
  noted(): NotedHead | null;
  /** Compares, and notes the head if nothing is wrong. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Notes the head of the audit chain outside the database, in the data folder and in the log, and compares: a chain
 * alone does not show that its end was cut off. Runs at once and every ten minutes. While a problem is open no head is
 * noted; it ends when an operator moves the file aside.
 */
export async function watchAuditHead({
  db,
  dataDir,
  log,
  now,
}: {
  db: Database;
  /** Undefined: only the log records heads, and nothing is compared. */
  dataDir: string | undefined;
  log: Logger;
  now: () => Date;
}): Promise<HeadWatch> {
  const path = dataDir === undefined ? null : join(dataDir, FILE_NAME);
  if (!path) log.warn('no COPYDESK_DATA_DIR: only the log records heads of the audit chain');
  let problem: Problem | null = null;
  let latest: NotedHead | null = null;

  async function compare(): Promise<void> {
    const noted = path ? await readNoted(path) : null;
    const { found, head, removed } = await readChain(db, noted);
    const difference = (noted && compareHead(noted, found)) ?? (removed === null ? null : 'removed');
    problem = difference;
    latest = noted;
    if (difference) {
      log.error({ problem, noted, found: head, removed, file: path }, EXPLANATIONS[difference]);
      return;
    }
    if (!head) return;
    log.info({ ...head }, 'head of the audit chain');
    if (!path || head.sequence === noted?.sequence) return;
    const note = { at: now().toISOString(), ...head };
    await recordHead(path, note);
    latest = note;
  }

  async function readNoted(file: string): Promise<NotedHead | null> {
    try {
      return await readLastHead(file);
    } catch (error) {
      problem = 'unreadable';
      throw error;
    }
  }

  const check = () =>
    compare().catch((error) => log.error({ err: error }, 'the audit chain was not compared'));
  await check();
  const timer = setInterval(check, EVERY_MS);
  return {
    problem: () => problem,
    noted: () => latest,
    check,
    async stop() {
      clearInterval(timer);
      await check();
    },
  };
}

async function readChain(db: Database, noted: NotedHead | null) {
  return db.read(WHOLE_SCOPE, async ({ sql }) => {
    const newest = await findHead(sql);
    const atNoted = noted ? await findHash(sql, noted.sequence) : null;
    const chain = (await findHash(sql, '1'))?.toString('hex') ?? null;
    const removed = await findRemoved(sql);
    return {
      found: { chain, hashAtNoted: atNoted?.toString('hex') ?? null },
      head:
        chain && newest ? { chain, sequence: newest.position, hash: newest.seal_hash.toString('hex') } : null,
      removed,
    };
  });
}

/** The chain in the database at the compared points. Hashes are hexadecimal text. */
interface FoundChain {
  /** Hash of the first position; null when there is none. */
  chain: string | null;
  /** Hash of the noted position; null when there is none. */
  hashAtNoted: string | null;
}

/**
 * `cut`: noted entries are missing at the end. `rewritten`: another entry has the noted number, as when the chain was
 * cut and then continued. `replaced`: the database has another chain, or none. `removed`: an entry that waited to be
 * sealed is gone.
 */
type HeadProblem = 'cut' | 'rewritten' | 'replaced' | 'removed';

/** Compares a chain with the head noted before; null when the chain continues it. */
function compareHead(noted: NotedHead, found: FoundChain): HeadProblem | null {
  if (found.chain !== noted.chain) return 'replaced';
  if (found.hashAtNoted === null) return 'cut';
  return found.hashAtNoted === noted.hash ? null : 'rewritten';
}
