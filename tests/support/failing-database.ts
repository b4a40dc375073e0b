import type { Database } from '../../apps/server/src/platform/db/database.ts';

/** As the driver says it once the server is gone. */
export const DATABASE_LOST = new Error('Connection terminated unexpectedly');

/** A database whose first transactions fail, each kind in its order; null: this one works, and so do all after the last. */
export function createFailingDatabase(
  db: Database,
  failures: { reads?: readonly (Error | null)[]; writes?: readonly (Error | null)[] },
): Database {
  const failing = <F extends (...given: never[]) => Promise<unknown>>(
    work: F,
    errors: readonly (Error | null)[] = [],
  ) => {
    const left = [...errors];
    return (async (...given: never[]) => {
      const error = left.shift();
      if (error) throw error;
      return work(...given);
    }) as unknown as F;
  };
  return { ...db, read: failing(db.read, failures.reads), write: failing(db.write, failures.writes) };
}
