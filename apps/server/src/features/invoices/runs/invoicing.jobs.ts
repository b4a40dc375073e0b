import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { startRun } from './runs.store.ts';

/** Starts a run over all traders, unless one is under way. The workers are notified and process it. */
export function beginInvoicing(db: Database): Promise<{ id: string; isNew: boolean }> {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => startRun(tx, {}));
}
