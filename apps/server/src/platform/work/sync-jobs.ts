import { sql } from 'kysely';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { WriteTx } from '../db/database.ts';
import type { Statements } from '../db/statements.ts';
import type { Logger } from '../observe/log.ts';
import { FAILED_SYNCS, type SyncQueue, workOn } from './queue.ts';
import { runJob } from './run-job.ts';
import { measureJob } from './work-measures.ts';

/** What to read again at a vendor. */
export interface SyncSubject {
  kind: string;
  /** At the vendor. */
  id: string;
  /** For work up to a time: of several requests the latest time is kept. */
  since?: Date | undefined;
}

interface SyncData {
  kind: string;
  id: string;
  since?: string;
}

/** Reads a subject. @returns why it has to be tried again, as a code; null: it is done */
export type Sync = (subject: SyncSubject) => Promise<string | null>;

/** Has a worker read a subject again once this transaction has committed. Several requests become one read. */
export async function requestSync(
  tx: WriteTx,
  queue: SyncQueue,
  { kind, id, since }: SyncSubject,
): Promise<void> {
  await sql`SELECT app.request_sync(${queue}, ${kind}, ${id}, ${since ?? null})`.execute(tx.sql);
}

/** Sends again what was given up. @returns the number of subjects */
export async function redriveSyncs(tx: WriteTx): Promise<number> {
  const { rows } = await sql<{ sent: string }>`
    WITH given_up AS (
      DELETE FROM pgboss.job_common WHERE name = ${FAILED_SYNCS} AND state < 'active' RETURNING source_name, data)
    SELECT app.request_sync(source_name, data ->> 'kind', data ->> 'id', max((data ->> 'since')::timestamptz))::text AS sent
    FROM given_up GROUP BY source_name, data ->> 'kind', data ->> 'id'`.execute(tx.sql);
  return rows.length;
}

/** Subjects that a worker reads at a time: one that the vendor does not answer holds up no other. */
const AT_ONCE = 3;

interface SyncDeps {
  queue: SyncQueue;
  statements: Statements;
  log: Logger;
  sync: Sync;
}

/** Works on the subjects of a queue. */
export function startSyncs(boss: PgBoss, deps: SyncDeps): Promise<{ wake(): void }> {
  measureJob(deps.queue);
  return workOn<SyncData>(boss, deps.queue, { atOnce: AT_ONCE, handle: createSyncHandler(deps) });
}

/**
 * Handles one job, and ends it here: the queue itself does not check which claim ends a job. A paused worker
 * would end a job that another one has claimed since, and lose what was requested meanwhile.
 * @throws when the job is to be tried again; the queue keeps the message
 */
export function createSyncHandler({ queue, statements, log, sync }: SyncDeps) {
  return async ({
    id,
    data,
    retryCount,
    retryLimit,
    startedOn,
  }: JobWithMetadata<SyncData>): Promise<void> => {
    const { since, ...subject } = data;
    let problem: string | null = 'failed';
    await runJob({ name: queue, id, log }, async () => {
      problem = await sync({ ...subject, since: since === undefined ? undefined : new Date(since) });
      if (problem !== null) log.warn({ subject, problem, retryCount }, 'a subject is read again later');
    }).catch(() => {}); // logged, and a reason to try again
    const text = problem === null ? DONE : LEFT_TO_ANOTHER;
    const values = problem === null ? [queue, id, retryCount, startedOn] : [queue, id, retryCount];
    const { rowCount } = await statements.query(text, values);
    if (rowCount === 1) return;
    if (problem !== null && retryCount >= retryLimit)
      log.error({ subject, problem }, 'a subject was given up: bin/copydesk admin redrive sends it again');
    throw new Error(problem ?? 'another worker has claimed it');
  };
}

/** A claim: the queue counts it when it hands a job out again. */
const CLAIMED = `name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;
const COMPLETE = `UPDATE pgboss.job_common SET state = 'completed', completed_on = now() WHERE ${CLAIMED}`;
const later = (a: string, b: string) =>
  `(${a}.data ->> 'since')::timestamptz > (${b}.data ->> 'since')::timestamptz`;

/** A successful read also settles earlier failed jobs of the same subject. */
const DONE = `
  WITH done AS (${COMPLETE} RETURNING singleton_key, data),
    answered AS (
      DELETE FROM pgboss.job_common f USING done
      WHERE f.name = '${FAILED_SYNCS}' AND f.source_name = $1 AND f.singleton_key = done.singleton_key
        AND f.state < 'active' AND f.created_on <= $4 AND (${later('f', 'done')}) IS NOT TRUE)
  SELECT FROM done`;

/**
 * While a vendor is away, each event of a subject would add a job that retries. So a failed job ends when
 * another one waits, which will read later.
 */
const LEFT_TO_ANOTHER = `
  WITH own AS (SELECT singleton_key, data FROM pgboss.job_common WHERE ${CLAIMED}),
    other AS (
      SELECT j.id FROM pgboss.job_common j, own
      WHERE j.name = $1 AND j.singleton_key = own.singleton_key AND j.state IN ('created', 'retry')
      LIMIT 1 FOR UPDATE OF j SKIP LOCKED),
    merged AS (
      UPDATE pgboss.job_common j SET data = CASE WHEN ${later('own', 'j')} THEN own.data ELSE j.data END
      FROM own, other WHERE j.name = $1 AND j.id = other.id RETURNING j.id)
  ${COMPLETE} AND EXISTS (SELECT FROM merged)`;
