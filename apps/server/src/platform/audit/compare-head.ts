import type { NotedHead } from './head-file.ts';

/** The chain in the database at the compared points. Hashes are hexadecimal text. */
export interface FoundChain {
  /** Hash of the first entry; null when there is no entry. */
  chain: string | null;
  /** Hash of the entry that has the noted number; null when there is none. */
  hashAtNoted: string | null;
}

/**
 * `cut`: noted entries are missing at the end. `rewritten`: another entry has the noted number, as when the chain was
 * cut and then continued. `replaced`: the database has another chain, or none.
 */
export type HeadProblem = 'cut' | 'rewritten' | 'replaced';

/** Compares a chain with the head noted before; null when the chain continues it. */
export function compareHead(noted: NotedHead, found: FoundChain): HeadProblem | null {
  if (found.chain !== noted.chain) return 'replaced';
  if (found.hashAtNoted === null) return 'cut';
  return found.hashAtNoted === noted.hash ? null : 'rewritten';
}
