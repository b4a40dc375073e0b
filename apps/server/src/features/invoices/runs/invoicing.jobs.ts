import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { discardOldDrafts, startRun } from './runs.store.ts';

/** After a day the amounts of a draft are outdated. */
const DRAFT_KEPT_MS = 24 * 3_600_000;

/**
 * Starts a run over all traders, unless one is under way, or prepares a draft of one. The workers are notified and
 * process it.
 */
export function beginInvoicing(
  db: Database,
  { isDraft = false } = {},
): Promise<{ id: string; isNew: boolean }> {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => startRun(tx, { isDraft }));
}

/** Discards drafts of runs that were not sent for a day. @returns how many */
export function discardDrafts({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - DRAFT_KEPT_MS);
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => discardOldDrafts(tx, before));
}
