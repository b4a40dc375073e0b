import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { StartError } from '../../process/start-error.ts';
import { installJobQueue } from '../../work/queue.ts';
import { connectForCommand } from '../connection/database-url.ts';
import { applyMigration } from '../migrations/apply-migration.ts';
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
 * Migrations whose text had to change, with the same effect, because a newer PostgreSQL refuses the earlier one: the
 * checksum of that, which a database may have applied.
 */
const SAME_EFFECT: Readonly<Record<string, string>> = {
  '1285_open_deductions.sql': '0e1ed304d4da9cc5d6c9d1b0181f259606be3daf8cea4feeb3eee71afdba0a77',
};

const isSameIn = (migrations: readonly Migration[], { name, checksum }: Applied) =>
  migrations.some(
    (migration) =>
      migration.name === name && (migration.checksum === checksum || SAME_EFFECT[name] === checksum),
  );

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
    const { rows } = await client.query<Applied>('SELECT name, checksum FROM schema_migration');
    const migrations = await readMigrations();
    const other = rows.find((row) => !isSameIn(migrations, row));
    if (other)
      throw new StartError(
        isOfEarlierLine(migrations, other)
          ? `Migration ${other.name} of this database is not one of this version. Versions before the first release rewrote migrations: use an empty database, or the version that made this one.`
          : `The database has migration ${other.name}, which this version does not know. Start a version at least as new as the one that made it.`,
      );
    const done = new Set(rows.map((row) => row.name));
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
