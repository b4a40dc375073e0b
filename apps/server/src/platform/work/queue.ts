import { PgBoss } from 'pg-boss';
import { APPLICATION_ROLE, WORKER_ROLE } from '../db/connection.ts';
import { connectForCommand } from '../db/database-url.ts';
import { watchLongWork } from '../db/long-work.ts';

/** PostgreSQL schema of the job queue. */
export const QUEUE_SCHEMA = 'pgboss';

/**
 * Creates or upgrades the tables of the job queue and lets workers use them. The API only reads how long jobs wait: it
 * orders no job, and a job that it wrote would run with the worker's rights. Nobody's queue changes the tables: migrations
 * are off.
 * @param ownerUrl connection of the owner of the schema
 */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  const client = await connectForCommand(ownerUrl, 'DATABASE_OWNER_URL', {
    application_name: 'copydesk-migrate',
  });
  try {
    await watchLongWork(client, ownerUrl);
    const boss = new PgBoss({
      // Not a connection of its own: that would have the settings of the login, such as a timeout.
      db: { executeSql: (text, values) => client.query(text, values) },
      schema: QUEUE_SCHEMA,
      supervise: false,
      schedule: false,
    });
    boss.on('error', () => {});
    await boss.start();
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
