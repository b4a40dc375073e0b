import type { Database } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import { startRun } from './runs.store.ts';

/** Begins a run over everybody, unless one is under way. The workers hear of it and walk it. */
export function beginInvoicing(db: Database): Promise<{ id: string; isNew: boolean }> {
  return db.write({ kind: 'all' }, WORKER_ACTOR, (tx) => startRun(tx, {}));
}
