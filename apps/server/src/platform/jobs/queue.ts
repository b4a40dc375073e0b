import { PgBoss } from 'pg-boss';
import { APPLICATION_ROLE, createPool, WORKER_ROLE } from '../db/connection.ts';

/** PostgreSQL schema of the job queue. */
export const QUEUE_SCHEMA = 'pgboss';

/**
 * Creates or upgrades the tables of the job queue and lets workers use them. The API only reads how long jobs wait: it
 * orders no job, and a job that it wrote would run with the worker's rights. Nobody's queue changes the tables: migrations
 * are off.
 * @param ownerUrl connection of the owner of the schema
 */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  const pool = createPool({ url: ownerUrl, applicationName: 'copydesk-migrate', maxConnections: 2 });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: QUEUE_SCHEMA,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  try {
    await boss.start();
    await boss.stop({ graceful: false });
    await pool.query(`
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
    await pool.end();
  }
}
