import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { StartError } from '../../process/start-error.ts';
import { installJobQueue } from '../../work/queue.ts';
import { connectForCommand } from '../connection/database-url.ts';
import { applyMigration, noteMigrations } from '../migrations/apply-migration.ts';
import { revokePublicPrivileges } from './database-privileges.ts';
import { watchLongWork } from './long-work.ts';

const LOCK_TIMEOUT_MS = 3_000;
const MIGRATIONS = new URL('../../../../migrations/', import.meta.url);

export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** The migrations of this checkout, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

interface Applied {
  name: string;
  checksum: string;
}

/**
 * 272 migrations of before the first release were squashed into the first 23 of these, with the same schema. A database
 * that has the last of them has all, and takes the 23 over by name; it keeps the names of the others, by which a version
 * before that still runs knows it.
 */
const BEFORE_SQUASH = {
  last: '1442_equity_by_month.sql',
  checksum: 'f11bbdf23df356192c076f32221099a529b6b1d241920ac4da7d4319e9bee844',
  squashedInto: '2023_partitions.sql',
};

/**
 * Of the migrations that a database names: those that this version knows by another name, and those that it thereby has.
 */
export function splitAtSquash<Row extends Applied>(rows: readonly Row[], migrations: readonly Migration[]) {
  const { last, checksum, squashedInto } = BEFORE_SQUASH;
  const isBefore = rows.some((row) => row.name === last && row.checksum === checksum);
  const named = new Set(rows.map(({ name }) => name));
  return {
    rows: isBefore ? rows.filter(({ name }) => name > last) : rows,
    takenOver: isBefore ? migrations.filter(({ name }) => name <= squashedInto && !named.has(name)) : [],
  };
}

const isSameIn = (migrations: readonly Migration[], { name, checksum }: Applied) =>
  migrations.some((migration) => migration.name === name && migration.checksum === checksum);

/** Whether this version has rewritten or squashed an applied migration, rather than not knowing it yet. */
const isOfEarlierLine = (migrations: readonly Migration[], { name }: Applied) =>
  name <= (migrations.at(-1)?.name ?? '');

/**
 * Migrates a database to this checkout's schema, forward only. Each migration waits only briefly for its
 * locks, and tries again: requests queue behind a statement that waits. Concurrent callers take turns.
 * @param ownerUrl connection of the owner of the schema, not of the application
 * @throws StartError when an applied migration was edited or is unknown here
 */
export async function migrate(
  ownerUrl: string,
  options: { lockTimeoutMs?: number } = {},
): Promise<{ applied: string[] }> {
  const client = await connectForCommand(
    ownerUrl,
    'DATABASE_OWNER_URL',
    { application_name: 'copydesk-migrate' },
    Number.POSITIVE_INFINITY,
  );
  const applied: string[] = [];
  try {
    await watchLongWork(client, ownerUrl);
    await client.query("SELECT pg_advisory_lock(hashtext('copydesk.migrate'))");
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const found = await client.query<Applied>('SELECT name, checksum FROM schema_migration');
    const migrations = await readMigrations();
    const { rows, takenOver } = splitAtSquash(found.rows, migrations);
    const other = rows.find((row) => !isSameIn(migrations, row));
    if (other)
      throw new StartError(
        isOfEarlierLine(migrations, other)
          ? `Migration ${other.name} of this database is not one of this version. Before the first release they were rewritten: migrate it with the last version that has this one, or use an empty database.`
          : `The database has migration ${other.name}, which this version does not know. Start a version at least as new as the one that made it.`,
      );
    await noteMigrations(client, takenOver);
    const done = new Set([...rows, ...takenOver].map(({ name }) => name));
    for (const migration of migrations.filter((m) => !done.has(m.name))) {
      await applyMigration(client, migration, { lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS });
      applied.push(migration.name);
    }
    await revokePublicPrivileges(client);
    await installJobQueue(ownerUrl);
    await client.query('GRANT SELECT ON schema_migration TO copydesk_app');
  } finally {
    await client.end();
  }
  return { applied };
}
