import { type RawBuilder, sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import type { Statements } from '../db/statements.ts';
import type { Logger } from '../observe/log.ts';
import { SCHEDULED_QUEUE, workOn } from './queue.ts';
import { runJob } from './run-job.ts';
import { measureJob } from './work-measures.ts';
import { WORKER_ACTOR } from './worker-actor.ts';

export interface ScheduledJob {
  name: string;
  /** Cron expression, UTC. */
  cron: string;
  run: () => Promise<unknown>;
}

/** Different jobs that a worker runs at a time. Some take minutes. */
const AT_ONCE = 4;

/** Schedules jobs and works on them. A job never runs twice at once. */
export async function startScheduledJobs(
  boss: PgBoss,
  {
    jobs,
    db,
    statements,
    log,
  }: { jobs: readonly ScheduledJob[]; db: Database; statements: Statements; log: Logger },
): Promise<void> {
  for (const { name, cron } of jobs) {
    await boss.schedule(SCHEDULED_QUEUE, cron, { job: name }, { key: name, singletonKey: name });
    measureJob(name);
  }
  const runs = new Map(jobs.map(({ name, run }) => [name, run]));
  await workOn<{ job: string }>(boss, SCHEDULED_QUEUE, {
    atOnce: AT_ONCE,
    async handle({ id, data: { job: name } }) {
      const run = runs.get(name);
      // The queue tries again: during an upgrade a worker of the newer version runs it.
      if (!run) throw new Error(`this version has no job ${name}`);
      const { rows } = await statements.query(
        `SELECT FROM pgboss.job_common WHERE name = $1 AND state = 'active' LIMIT 1`,
        [name],
      );
      if (rows.length > 0) log.info({ job: name }, 'a worker of the version before runs this job');
      else await noteOutcome({ db, log }, name, () => runJob({ name, id, log }, run));
    },
  });
}

/** Notes whether a job fails, for the people who have to mend it, until it succeeds. */
async function noteOutcome(
  { db, log }: { db: Database; log: Logger },
  name: string,
  run: () => Promise<void>,
): Promise<void> {
  // A failure to note the outcome must neither fail a job that succeeded nor hide why one failed.
  const note = (statement: RawBuilder<unknown>) =>
    db
      .write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => statement.execute(tx.sql))
      .catch((error) => log.warn({ err: error, job: name }, 'how a job ended was not noted'));
  try {
    await run();
  } catch (error) {
    await note(sql`INSERT INTO failing_job AS f (name) VALUES (${name})
      ON CONFLICT (name) DO UPDATE SET runs = f.runs + 1`);
    throw error;
  }
  await note(sql`DELETE FROM failing_job WHERE name = ${name}`);
}

/**
 * Takes over from the version before, which had a queue for each job: no more jobs are sent there, those that wait are
 * sent here, and the queues go an hour later, when no worker of that version is left to ask for them. A job under way
 * stays where it is until it ends. Also forgets jobs that no version has scheduled for a day. Remove it, with its line in
 * the schedule, once no database comes from that version.
 */
export function retireQueues(db: Database, names: readonly string[]): Promise<void> {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`
      WITH unscheduled AS (DELETE FROM pgboss.schedule WHERE name = ANY (${names}) RETURNING name)
      UPDATE pgboss.queue q SET updated_on = now() FROM unscheduled u WHERE q.name = u.name`.execute(tx.sql);
    await sql`
      DELETE FROM pgboss.schedule WHERE name = ${SCHEDULED_QUEUE} AND key <> ALL (${names})
        AND updated_on < now() - interval '1 day'`.execute(tx.sql);
    await sql`DELETE FROM failing_job f WHERE NOT EXISTS (
      SELECT FROM pgboss.schedule s WHERE s.name = ${SCHEDULED_QUEUE} AND s.key = f.name)`.execute(tx.sql);
    await sql`
      WITH waiting AS (
        DELETE FROM pgboss.job_common w WHERE w.name = ANY (${names}) AND w.state < 'active'
          AND NOT EXISTS (SELECT FROM pgboss.job_common a WHERE a.name = w.name AND a.state = 'active')
        RETURNING w.name)
      INSERT INTO pgboss.job_common (name, singleton_key, data, policy, retry_limit, retry_backoff, expire_seconds,
        heartbeat_seconds, deletion_seconds)
      SELECT q.name, w.name, jsonb_build_object('job', w.name), q.policy, q.retry_limit, q.retry_backoff,
        q.expire_seconds, q.heartbeat_seconds, q.deletion_seconds
      FROM (SELECT DISTINCT name FROM waiting) w, pgboss.queue q WHERE q.name = ${SCHEDULED_QUEUE}
      ON CONFLICT DO NOTHING`.execute(tx.sql);
    await sql`
      SELECT pgboss.delete_queue(q.name) FROM pgboss.queue q
      WHERE q.name = ANY (${names}) AND q.updated_on < now() - interval '1 hour'
        AND NOT EXISTS (SELECT FROM pgboss.job_common j WHERE j.name = q.name AND j.state <= 'active')`.execute(
      tx.sql,
    );
  });
}
