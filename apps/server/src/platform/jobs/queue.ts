import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { APPLICATION_ROLE, WORKER_ROLE } from '../db/connection.ts';

/** PostgreSQL schema of the job queue. */
export const QUEUE_SCHEMA = 'pgboss';

/**
 * Creates or upgrades the tables of the job queue and lets workers use them. The API only reads how long jobs wait: it
 * orders no job, and a job that it wrote would run with the worker's rights. Nobody's queue changes the tables: migrations
 * are off.
 * @param ownerUrl connection of the owner of the schema
 */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: QUEUE_SCHEMA,
    application_name: 'copydesk-migrate',
    max: 2,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start();
  await boss.stop({ graceful: false });
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
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
