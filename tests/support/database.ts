import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  /** Connects as the owner of the schema. */
  ownerUrl: string;
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>;
}

/** A migrated, empty database of the calling test file's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl, template } = inject('testCluster');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(ownerUrl, `CREATE DATABASE ${name} TEMPLATE "${template}" STRATEGY file_copy`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return {
    ownerUrl: url.href,
    drop: () => execute(ownerUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
