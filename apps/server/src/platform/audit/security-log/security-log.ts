import { REFUSAL_KINDS, type RefusalKind } from '@copydesk/contract/audit';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../observe/log.ts';
import { createCollectedRefusals } from './collect-refusals.ts';
import type { RefusedAttempt, RefusedCaller } from './refusal.ts';
import { countAttempts } from './refused-attempts.store.ts';

const FLUSH_EVERY_MS = 5_000;
/** Callers that are looked up at the same time; beyond that they stay unknown. */
const LOOK_UPS = 100;

/** The refused attempts of this process, on their way into the database. */
export interface SecurityLog {
  /** Counts a refusal in memory. Neither waits nor throws. */
  note(refusal: RefusedAttempt): void;
  /** The same, once its caller is found. A caller that cannot be found stays unknown. */
  noteAfter(refusal: RefusedAttempt, findCaller: () => Promise<RefusedCaller | null>): void;
  /** Refusals since the start of this process. */
  counts(): ReadonlyMap<RefusalKind, number>;
  /** Finds the callers under way and writes what was collected. A failed write is repeated the next time. */
  flush(): Promise<void>;
  /** Stops writing every few seconds, and flushes a last time. */
  close(): Promise<void>;
}

/** Records refusals every few seconds: a statement for each would make an attack on one call an attack on the database. */
export function createSecurityLog({
  db,
  log,
  now,
}: {
  db: Database;
  log: Logger;
  now: () => Date;
}): SecurityLog {
  const collected = createCollectedRefusals();
  // Every kind from the start: a series that appears with its first event has no rate.
  const counts = new Map<RefusalKind, number>(Object.values(REFUSAL_KINDS).map((kind) => [kind, 0]));
  const lookUps = new Set<Promise<void>>();
  let writing = Promise.resolve();

  const note = (refusal: RefusedAttempt) => {
    const kind = REFUSAL_KINDS[refusal.code];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    collected.add(refusal, now());
  };

  const write = async () => {
    const rows = collected.take();
    if (rows.length === 0) return;
    try {
      await countAttempts(db, rows);
    } catch (error) {
      collected.putBack(rows);
      log.warn({ err: error, rows: rows.length }, 'refused attempts were not written yet');
    }
  };
  // One after the other: two at once would wait for each other's rows.
  const writeNext = () => {
    writing = writing.then(write);
    return writing;
  };
  // Does not wait for callers that are still being looked up: the next write includes them.
  const timer = setInterval(() => void writeNext(), FLUSH_EVERY_MS).unref();
  const flush = async () => {
    await Promise.all(lookUps);
    await writeNext();
  };

  return {
    note,
    noteAfter(refusal, findCaller) {
      if (lookUps.size >= LOOK_UPS) {
        note(refusal);
        return;
      }
      const lookUp = findCaller()
        .catch(() => null)
        .then((caller) => note({ ...refusal, caller }))
        .finally(() => lookUps.delete(lookUp));
      lookUps.add(lookUp);
    },
    counts: () => counts,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
