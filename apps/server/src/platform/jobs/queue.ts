import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { APPLICATION_ROLE } from '../db/connection.ts';

/** PostgreSQL schema of the job queue. */
export const QUEUE_SCHEMA = 'pgboss';

/**
 * Creates or upgrades the tables of the job queue and lets the application role use them. The application itself never
 * changes them: its queue has migrations off.
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
      REVOKE CREATE ON SCHEMA ${QUEUE_SCHEMA} FROM ${APPLICATION_ROLE};
      GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
      GRANT ALL ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} FROM PUBLIC;
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE}`);
  } finally {
    await client.end();
  }
}
