import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { deleteInBatches } from '../../platform/db/delete-in-batches.ts';
import { deleteExpired } from '../../platform/identity/embedded/accounts.store.ts';
import { pruneHostedSessions } from '../../platform/identity/hosted/sessions.store.ts';

const ACTOR = { kind: 'system', id: 'pruning', name: 'Pruning' } as const;

/**
 * Deletes expired rows of signing in. Every reader checks the expiry, so this only keeps the tables small.
 * @returns the number of deleted rows
 */
export function pruneIdentity({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
      const at = now();
      return (await pruneHostedSessions(tx, at, limit)) + (await deleteExpired(tx, at, limit));
    }),
  );
}
