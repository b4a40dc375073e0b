import { join } from 'node:path';
import pg from 'pg';
import { createDatabase, loginOf, type NewDatabase } from '../db/create-database.ts';
import { StartError } from '../process/start-error.ts';
import { DUMP_FILE, describeContent, type Manifest, readBackup } from './manifest.ts';
import { runProgram } from './programs.ts';

export interface RestoreOptions extends NewDatabase {
  /** The backup's folder. */
  from: string;
  binDir: string | undefined;
}

/**
 * Restores a backup into a new database, with the roles that it needs. Compares every table's number of rows and the
 * head of the audit with the manifest.
 * @throws StartError when the database exists, or differs from the manifest afterwards
 */
export async function restoreBackup({ from, binDir, ...database }: RestoreOptions): Promise<Manifest> {
  const manifest = await readBackup(from);
  const owner = loginOf(database.ownerUrl, 'DATABASE_OWNER_URL');
  if (owner.name !== manifest.owner)
    throw new StartError(
      `DATABASE_OWNER_URL: the backup belongs to ${manifest.owner}, and privileges name it. Use a login of that name.`,
    );
  await createDatabase(database);
  // As the superuser: foreign keys are checked after row-level security is back, which binds the owner.
  const url = databaseAs(database.adminUrl, owner.database);
  await runProgram(
    'pg_restore',
    ['--exit-on-error', `--dbname=${owner.database}`, '--no-password', '--jobs=2', join(from, DUMP_FILE)],
    { binDir, url },
  );
  await requireSameContent(url, manifest);
  return manifest;
}

async function requireSameContent(url: string, manifest: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'copydesk-restore' });
  await client.connect();
  const found = await describeContent(client).finally(() => client.end());
  const tables = [...new Set([...Object.keys(manifest.rows), ...Object.keys(found.rows)])];
  const different = tables.filter((table) => found.rows[table] !== manifest.rows[table]);
  if (different.length > 0)
    throw new StartError(`The restored database differs from the backup in: ${different.join(', ')}.`);
  if (found.auditHead?.hash !== manifest.auditHead?.hash)
    throw new StartError('The restored audit does not end with the entry that the backup ends with.');
}

function databaseAs(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
