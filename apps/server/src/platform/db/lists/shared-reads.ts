import type { Scope } from '@copydesk/domain/access';
import pLimit from 'p-limit';
import type { AnyTx, Database } from '../database.ts';
import {
  currentPositions,
  higher,
  neededNow,
  notePosition,
  type Positions,
  withPositions,
} from '../position.ts';

export type SharedRead = <T>(name: string, scope: Scope, work: (tx: AnyTx) => Promise<T>) => Promise<T>;

interface Waiting {
  read: Promise<unknown>;
  /** Of all who join. */
  positions: Positions;
}

/**
 * Deduplicates reads that still wait for a connection: identical requests in the same scope share one read. After a
 * change every console requests its page at the same moment, and this makes them one query. A request never joins a
 * read that has begun: it may not see a commit from just before the request. The read sees what any of them needs to see.
 */
export function createSharedReads(db: Pick<Database, 'readAny'>): SharedRead {
  const waiting = new Map<string, Waiting>();
  return async <T>(name: string, scope: Scope, work: (tx: AnyTx) => Promise<T>) => {
    const own = currentPositions();
    // Requests without a position read the leader, so they have a read of their own.
    const key = `${JSON.stringify(scope)} ${neededNow(own) === null} ${name}`;
    const joined = waiting.get(key);
    if (joined) {
      joined.positions.needed = higher(joined.positions.needed, neededNow(own));
      const value = await (joined.read as Promise<T>);
      notePosition(own, joined.positions.seen);
      return value;
    }
    const positions: Positions = { needed: neededNow(own), seen: null, isLost: false };
    const begun = () => {
      if (waiting.get(key)?.positions === positions) waiting.delete(key);
    };
    const start = () =>
      db.readAny(scope, (tx) => {
        begun();
        return work(tx);
      });
    const read = own ? withPositions(positions, start) : start();
    waiting.set(key, { read, positions });
    read.catch(begun); // no connection: the next request tries again
    const value = await read;
    notePosition(own, positions.seen);
    return value;
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
