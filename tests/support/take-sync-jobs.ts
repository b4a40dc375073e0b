import { createStatements } from '../../apps/server/src/platform/db/statements.ts';
import { createJobQueue, type SyncQueue } from '../../apps/server/src/platform/work/queue.ts';
import { createSyncHandler, type Sync } from '../../apps/server/src/platform/work/sync-jobs.ts';
import type { TestApp } from './test-app.ts';

/**
 * What a worker does about one job of a queue, without waiting for a wake-up. Several at once are several workers.
 * @returns whether there was one
 */
export function createSyncTurn(
  { db, log }: Pick<TestApp, 'db' | 'log'>,
  queue: SyncQueue,
  sync: Sync,
): () => Promise<boolean> {
  const statements = createStatements(db.pool);
  const boss = createJobQueue(statements, log);
  const handle = createSyncHandler({ queue, statements, log, sync });
  return async () => {
    const [job] = (await boss.fetch(queue, { includeMetadata: true })) as Parameters<typeof handle>[0][];
    if (!job) return false;
    await handle(job).then(
      () => boss.complete(queue, job.id),
      (error) => boss.fail(queue, job.id, error),
    );
    return true;
  };
}

/** For `world.owner`: every attempt that waits for its turn is due. */
export const RETRY_NOW = "UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'";
