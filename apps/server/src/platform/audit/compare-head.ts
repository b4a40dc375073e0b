import type { NotedHead } from './head-file.ts';

/** The chain in the database at the points that are compared. Hashes are hexadecimal text. */
export interface FoundChain {
  /** Hash of the first entry; null when there is no entry. */
  chain: string | null;
  /** Hash of the entry that has the noted number; null when there is none. */
  hashAtNoted: string | null;
}

/**
 * `cut`: entries that were noted are missing at the end. `rewritten`: another entry has the noted number, as when the
 * chain was cut and written on. `replaced`: it is another chain, or none, where one was noted.
 */
export type HeadProblem = 'cut' | 'rewritten' | 'replaced';

/** Whether a chain continues the head that was noted before; null when it does. */
export function compareHead(noted: NotedHead, found: FoundChain): HeadProblem | null {
  if (found.chain !== noted.chain) return 'replaced';
  if (found.hashAtNoted === null) return 'cut';
  return found.hashAtNoted === noted.hash ? null : 'rewritten';
}
