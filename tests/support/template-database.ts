import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { migrate, readMigrations } from '../../apps/server/src/platform/db/installation/migrate.ts';

const PLATFORM = new URL('../../apps/server/src/platform/', import.meta.url);

/** Sources of the schema that `migrate` leaves behind, besides the migrations. */
const SCHEMA_SOURCES = [
  new URL('db/installation/migrate.ts', PLATFORM),
  new URL('db/installation/database-privileges.ts', PLATFORM),
  new URL('work/queue.ts', PLATFORM),
  new URL('../../package-lock.json', import.meta.url),
];

/**
 * Ensures that the cluster has a migrated database to clone, and returns its name. It is created once for each state of
 * the migrations, under another name until it is complete. Databases of earlier runs are dropped.
 */
export async function prepareTemplate(ownerUrl: string): Promise<string> {
  const template = `template_${await schemaHash()}`;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname ~ '^(template|test)_'",
    );
    const leftovers = rows.map((row) => row.datname).filter((name) => name !== template);
    for (const name of leftovers) await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    if (leftovers.length < rows.length) return template;
    await client.query('CREATE DATABASE template_unfinished TEMPLATE copydesk');
    const url = new URL(ownerUrl);
    url.pathname = '/template_unfinished';
    await migrate(url.href);
    await client.query(`ALTER DATABASE template_unfinished RENAME TO "${template}"`);
    return template;
  } finally {
    await client.end();
  }
}

async function schemaHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, checksum } of await readMigrations()) hash.update(`${name} ${checksum}\n`);
  for (const source of SCHEMA_SOURCES) hash.update(readFileSync(source));
  return hash.digest('hex').slice(0, 16);
}
