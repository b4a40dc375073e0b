import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { UNUSUAL_SETTINGS } from './other-postgres.ts';

export interface TestDatabase {
  /** Connects as the owner of the schema. */
  ownerUrl: string;
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>;
}

/** A migrated, empty database for the calling test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl, template } = inject('testCluster');
  return inCluster(ownerUrl, (execute) => clone(execute, template));
}

/**
 * A database for the calling test file with the data from `fill`: the first file of a run that requests the name fills
 * it, all others get a copy.
 */
export async function createFilledDatabase(
  name: string,
  fill: (ownerUrl: string) => Promise<unknown>,
): Promise<TestDatabase> {
  const { ownerUrl, template } = inject('testCluster');
  const filled = `test_${name}`;
  return inCluster(ownerUrl, async (execute) => {
    // A session lock: it is released with the connection, however the work ends.
    await execute(`SELECT pg_advisory_lock(hashtext('${filled}'))`);
    const { rowCount } = await execute(`SELECT FROM pg_database WHERE datname = '${filled}'`);
    if (!rowCount) {
      const empty = await clone(execute, template);
      await fill(empty.ownerUrl);
      await execute(`ALTER DATABASE ${nameOf(empty)} RENAME TO ${filled}`);
    }
    await execute(`SELECT pg_advisory_unlock(hashtext('${filled}'))`);
    return clone(execute, filled);
  });
}

type Execute = (statement: string) => Promise<pg.QueryResult>;

async function inCluster<T>(ownerUrl: string, work: (execute: Execute) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  // Making a copy takes as long as it takes, also where roles have timeouts.
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  try {
    return await work((statement) => client.query(statement));
  } finally {
    await client.end();
  }
}

const nameOf = ({ ownerUrl }: TestDatabase) => new URL(ownerUrl).pathname.slice(1);

async function clone(execute: Execute, template: string): Promise<TestDatabase> {
  const { ownerUrl } = inject('testCluster');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(`CREATE DATABASE ${name} TEMPLATE "${template}" STRATEGY file_copy`);
  // A copy has the privileges of a new database: see migration 2001.
  await execute(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  for (const setting of UNUSUAL_SETTINGS) await execute(`ALTER DATABASE ${name} SET ${setting}`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return {
    ownerUrl: url.href,
    drop: () => inCluster(ownerUrl, (run) => dropDatabase(run, name)),
  };
}

const NOT_PERMITTED = '42501';

/**
 * A connection of the cluster's superuser that a test has closed ends a moment later, and its process may not be ended
 * by the owner: nothing else is in the way of dropping a database of one's own.
 */
async function dropDatabase(run: Execute, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== NOT_PERMITTED || attempt === 100) throw error;
      await sleep(100);
    }
  }
}
