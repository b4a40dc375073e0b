import type { Scope } from '@copydesk/domain';
import type { Database, Tx } from './database.ts';

export type SharedRead = <T>(name: string, scope: Scope, work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Reads that still wait for a connection are done once for all who ask the same in the same scope. A change makes
 * every console ask for its page again at the same moment; this makes them one question. Nobody joins a read that
 * has begun: it may not see what was committed just before the question.
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
    read.catch(begun); // no connection: the next who asks tries again
    return read;
  };
}
