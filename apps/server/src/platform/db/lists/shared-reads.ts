import type { Scope } from '@copydesk/domain/access';
import pLimit from 'p-limit';
import type { Database, Tx } from '../database.ts';

export type SharedRead = <T>(name: string, scope: Scope, work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Deduplicates reads that still wait for a connection: identical requests in the same scope share one read. After a
 * change every console requests its page at the same moment, and this makes them one query. A request never joins a
 * read that has begun: it may not see a commit from just before the request.
 */
export function createSharedReads(db: Database): SharedRead {
  const waiting = new Map<string, Promise<unknown>>();
  return <T>(name: string, scope: Scope, work: (tx: Tx) => Promise<T>) => {
    const key = `${JSON.stringify(scope)} ${name}`;
    const shared = waiting.get(key);
    if (shared) return shared as Promise<T>;
    const begun = () => {
      if (waiting.get(key) === read) waiting.delete(key);
    };
    const read: Promise<T> = db.read(scope, (tx) => {
      begun();
      return work(tx);
    });
    waiting.set(key, read);
    read.catch(begun); // no connection: the next request tries again
    return read;
  };
}

const LONG_LIST = 1_000;
const AT_ONCE = 2;

/** Reads the rows of a page. */
export type ReadRows = <T>(limit: number, read: () => Promise<T>) => Promise<T>;

/** Pages of more than a thousand rows run one at a time, across all lists: their megabytes must not add up. */
export function createReadRows(): ReadRows {
  const inTurn = pLimit(AT_ONCE);
  return (limit, read) => (limit > LONG_LIST ? inTurn(read) : read());
}
