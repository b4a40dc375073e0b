import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { DUMP_FILE, describeContent, MANIFEST_FILE, type Manifest, sha256Of } from './manifest.ts';
import { runProgram } from './programs.ts';

/** A backup's folder, by the moment at which it was begun: names sort by time. */
const NAME = /^copydesk-\d{8}T\d{9}Z$/;

export interface BackupOptions {
  /** Login that row-level security does not bind. */
  url: string;
  /** Folder of all backups. */
  to: string;
  binDir: string | undefined;
  now: () => Date;
}

/**
 * Dumps the database into a folder of its own, beside a manifest of the same snapshot. A backup that was interrupted
 * never has a backup's name.
 * @returns the backup's folder and manifest
 * @throws StartError when the login may not see every row: its dump would be incomplete
 */
export async function takeBackup(options: BackupOptions): Promise<{ folder: string; manifest: Manifest }> {
  const { url, to, binDir, now } = options;
  const takenAt = now();
  const folder = join(to, `copydesk-${takenAt.toISOString().replace(/[-:.]/g, '')}`);
  const partial = `${folder}.partial`;
  const client = new pg.Client({ connectionString: url, application_name: 'copydesk-backup' });
  await client.connect();
  try {
    await requireWholeSight(client);
    await mkdir(partial, { recursive: true, mode: 0o700 });
    // The manifest and the dump are of one snapshot, which lives as long as this transaction.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
    const dump = join(partial, DUMP_FILE);
    await runProgram(
      'pg_dump',
      ['--format=custom', `--snapshot=${rows[0]?.snapshot}`, `--file=${dump}`, '--no-password'],
      { binDir, url },
    );
    const content = await describeContent(client);
    await client.query('COMMIT');
    // Reads the whole archive back.
    await runProgram('pg_restore', ['--file=/dev/null', dump], { binDir, url: null });
    const manifest: Manifest = {
      takenAt: takenAt.toISOString(),
      ...content,
      dump: { bytes: (await stat(dump)).size, sha256: await sha256Of(dump) },
    };
    await writeFile(join(partial, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(partial, folder);
    return { folder, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
}

/** Removes all but the newest backups of a folder. @returns the removed ones */
export async function removeOldBackups(to: string, keep: number): Promise<string[]> {
  const backups = (await readdir(to)).filter((name) => NAME.test(name)).sort();
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const name of old) await rm(join(to, name), { recursive: true });
  return old;
}

async function requireWholeSight(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; sees_all: boolean; reads_all: boolean }>(`
    SELECT rolname AS name, rolsuper OR rolbypassrls AS sees_all,
      pg_has_role(current_user, 'pg_read_all_data', 'USAGE') AS reads_all
    FROM pg_roles WHERE rolname = current_user`);
  const [role] = rows;
  if (role?.sees_all && role.reads_all) return;
  throw new StartError(
    `DATABASE_BACKUP_URL: row-level security hides rows from ${role?.name}, so its backup would miss them. A superuser makes a login for backups with: CREATE ROLE copydesk_backup LOGIN BYPASSRLS PASSWORD '...' IN ROLE pg_read_all_data;`,
  );
}
