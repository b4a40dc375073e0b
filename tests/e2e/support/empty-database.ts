import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { prepareTemplate } from '../../support/template-database.ts';
import { startTestCluster } from '../../support/test-cluster.ts';

/** A migrated database without a row of anyone, as a new installation has it. Its login is that of the owner. */
export async function startEmptyDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const { ownerUrl, stop } = await startTestCluster();
  try {
    return { url: await createDatabase(ownerUrl), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDatabase(ownerUrl: string): Promise<string> {
  const template = await prepareTemplate(ownerUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE "${template}" STRATEGY file_copy`);
  // A copy has the privileges of a new database: see migration 2001.
  await client.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return url.href;
}
