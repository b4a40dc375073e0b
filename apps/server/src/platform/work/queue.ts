import { type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import { APPLICATION_ROLE, WORKER_ROLE } from '../db/connection/connection.ts';
import { connectForCommand } from '../db/connection/database-url.ts';
import { isDatabaseGone } from '../db/connection/outage.ts';
import { watchLongWork } from '../db/installation/long-work.ts';
import type { Statements } from '../db/statements.ts';
import type { Logger } from '../observe/log.ts';

const QUEUE_SCHEMA = 'pgboss';

/** Every recurring job, keyed by its name. */
export const SCHEDULED_QUEUE = 'scheduled';
/** Subjects to read again at a vendor, keyed by the subject. `app.request_sync` has the same list. */
export type SyncQueue = 'stripe-sync' | 'clerk-sync';
/** Subjects that could not be read in all their attempts. */
export const FAILED_SYNCS = 'sync-failed';

const DAY = 86_400;
/** A job whose worker is gone, or could not store how it ended, is taken again after this time, or twice as long. */
const HEARTBEAT_SECONDS = 30;

/** About six hours of attempts, from 5 s to 30 min apart. A read takes less than two minutes, retries included. */
const SYNC = {
  policy: 'short',
  retryLimit: 19,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 1_800,
  expireInSeconds: 120,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retentionSeconds: 90 * DAY,
  deleteAfterSeconds: DAY,
  deadLetter: FAILED_SYNCS,
} as const;

/** Created in this order, because one queue names another. */
const QUEUES: readonly Queue[] = [
  {
    name: SCHEDULED_QUEUE,
    // One job of a key, whether it waits or runs. With `singleton` a second one of a running job would wait, and each
    // fetch would find it first and take nothing.
    policy: 'exclusive',
    retryLimit: 2,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  },
  { name: FAILED_SYNCS, policy: 'standard', retentionSeconds: 90 * DAY },
  { name: 'stripe-sync', ...SYNC },
  { name: 'clerk-sync', ...SYNC },
];

/** Polling finds the jobs whose wake-up was missed at this interval. */
const POLL_SECONDS = 15;

/**
 * Creates or upgrades the tables and the queues of jobs, and lets workers use them. The API reads how long jobs wait and
 * calls `app.request_sync`, and no more: a job that it wrote would run with the worker's rights. Other programs change no
 * table: their migrations are off.
 * @param ownerUrl connection of the owner of the schema
 */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  const client = await connectForCommand(ownerUrl, 'DATABASE_OWNER_URL', {
    application_name: 'copydesk-migrate',
  });
  try {
    await watchLongWork(client, ownerUrl);
    const boss = new PgBoss({
      // The same connection: a separate one would have the settings of the login, such as a timeout.
      db: { executeSql: (text, values) => client.query(text, values) },
      schema: QUEUE_SCHEMA,
      supervise: false,
      schedule: false,
    });
    boss.on('error', () => {});
    await boss.start();
    for (const { name, policy, ...options } of QUEUES) {
      await boss.createQueue(name, { policy, ...options });
      await boss.updateQueue(name, options);
    }
    await boss.stop({ graceful: false });
    await client.query(`
      REVOKE CREATE ON SCHEMA ${QUEUE_SCHEMA} FROM ${APPLICATION_ROLE}, ${WORKER_ROLE};
      GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
      REVOKE ALL ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} FROM ${APPLICATION_ROLE};
      REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} FROM ${APPLICATION_ROLE};
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} FROM PUBLIC, ${APPLICATION_ROLE};
      GRANT SELECT ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
      GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${WORKER_ROLE};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${WORKER_ROLE};
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${WORKER_ROLE}`);
  } finally {
    await client.end();
  }
}

/** The queue as one process uses it, before it is started. */
export function createJobQueue(statements: Statements, log: Logger): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => statements.query(withoutTransaction(text), values as unknown[]) },
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    cronWorkerIntervalSeconds: POLL_SECONDS,
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    // Jobs here never depend on others, so the check is rare.
    flowIntervalSeconds: DAY,
  });
  boss.on('error', (problem) => {
    const error = asError(problem);
    log[isDatabaseGone(error) ? 'warn' : 'error']({ err: error }, 'job queue');
  });
  return boss;
}

/** The queue reports copies of errors, which are plain objects. */
const asError = (problem: unknown): Error =>
  problem instanceof Error
    ? problem
    : Object.assign(new Error(), typeof problem === 'object' ? problem : { message: String(problem) });

/** A script of the queue without a transaction of its own: every statement runs in one already. */
const withoutTransaction = (text: string) => text.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '');

/**
 * Works on the jobs of a queue, some at a time. A job that ends is followed by the next one at once.
 * @returns wakes it because a job may have been sent
 */
export async function workOn<D extends object>(
  boss: PgBoss,
  queue: string,
  { atOnce, handle }: { atOnce: number; handle: (job: JobWithMetadata<D>) => Promise<void> },
): Promise<{ wake(): void }> {
  const ids: string[] = [];
  for (let n = 0; n < atOnce; n += 1) {
    const id: string = await boss.work(
      queue,
      { pollingIntervalSeconds: POLL_SECONDS, includeMetadata: true },
      async ([job]: JobWithMetadata<D>[]) => {
        if (job) await handle(job).finally(() => boss.notifyWorker(id));
      },
    );
    ids.push(id);
  }
  return {
    wake() {
      for (const id of ids) boss.notifyWorker(id);
    },
  };
}
