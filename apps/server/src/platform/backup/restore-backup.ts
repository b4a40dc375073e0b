import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { connectForCommand } from '../db/connection/database-url.ts';
import { createDatabase, loginOf, type NewDatabase } from '../db/installation/create-database.ts';
import { StartError } from '../process/start-error.ts';
import { decrypted, readIdentities } from './age.ts';
import { describeContent, dumpFileOf, type Manifest, readBackup } from './manifest.ts';
import { feedProgram, runProgram, startProgram } from './programs.ts';

export interface RestoreOptions extends NewDatabase {
  /** The backup's folder. */
  from: string;
  /** File of the identity that opens it; null: the backup is not encrypted. */
  identity: string | null;
  binDir: string | undefined;
}

/**
 * Restores a backup into a new database, with the roles that it needs. Compares every table's number of rows and the
 * head of the audit with the manifest. An encrypted dump goes through memory alone.
 * @throws StartError when the identity opens another backup, or the database exists, or differs from the manifest afterwards
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { from, identity, binDir, ...database } = options;
  const manifest = await readBackup(from);
  const owner = loginOf(database.ownerUrl, 'DATABASE_OWNER_URL');
  if (owner.name !== manifest.owner)
    throw new StartError(
      `DATABASE_OWNER_URL: the backup belongs to ${manifest.owner}, and privileges name it. Use a login of that name.`,
    );
  const file = join(from, dumpFileOf(manifest));
  // Opened before anything is created.
  const archive = await openArchive(file, manifest, identity);
  await createDatabase({ ...database, isForRestore: true });
  // As the superuser: foreign keys are checked after row-level security is back, which binds the owner.
  const url = databaseAs(database.adminUrl, owner.database);
  const args = ['--exit-on-error', `--dbname=${owner.database}`, '--no-password'];
  if (archive)
    await feedProgram(startProgram('pg_restore', args, { binDir, url }), archive).catch((error: Error) => {
      if (error instanceof StartError) throw error;
      throw new StartError(
        `${file} was changed, or is not whole (${error.message}). What is in ${owner.database} is a part of it: drop it.`,
        { isSetting: false },
      );
    });
  else await runProgram('pg_restore', [...args, '--jobs=2', file], { binDir, url });
  await requireSameContent(url, manifest);
  return manifest;
}

/** The decrypted dump; null: it is not encrypted. @throws StartError when the identity is missing or another one */
async function openArchive(
  file: string,
  { encryptedTo }: Manifest,
  identity: string | null,
): Promise<Readable | null> {
  if (encryptedTo.length === 0) {
    if (identity === null) return null;
    throw new StartError(
      `${file} is not encrypted. If it should be, it is another one than you made; otherwise leave --identity out.`,
    );
  }
  if (identity === null)
    throw new StartError(
      `${file} is encrypted to ${encryptedTo.join(', ')}. Give its identity: --identity <file>`,
    );
  const pairs = await readIdentities(identity);
  const given = pairs.map(({ recipient }) => recipient);
  return decrypted(createReadStream(file), pairs).catch(() => {
    throw new StartError(
      `${identity} is the identity of ${given.join(', ')}, but ${file} is encrypted to ${encryptedTo.join(', ')}.`,
    );
  });
}

async function requireSameContent(url: string, manifest: Manifest): Promise<void> {
  const client = await connectForCommand(url, 'DATABASE_ADMIN_URL', {
    application_name: 'copydesk-restore',
  });
  const found = await describeContent(client).finally(() => client.end());
  const tables = [...new Set([...Object.keys(manifest.rows), ...Object.keys(found.rows)])];
  const different = tables.filter((table) => found.rows[table] !== manifest.rows[table]);
  if (different.length > 0)
    throw new StartError(`The restored database differs from the backup in: ${different.join(', ')}.`, {
      isSetting: false,
    });
  if (found.auditHead?.hash !== manifest.auditHead?.hash)
    throw new StartError('The restored audit does not end with the entry that the backup ends with.', {
      isSetting: false,
    });
}

function databaseAs(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
