import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { connectForCommand } from '../db/connection/database-url.ts';
import { StartError } from '../process/start-error.ts';
import { encrypted, encrypterFor } from './age.ts';
import { describeContent, dumpFileOf, MANIFEST_FILE, type Manifest, sha256Of } from './manifest.ts';
import { type RunningProgram, startProgram } from './programs.ts';

/** A backup's folder, by the moment at which it was begun: names sort by time. */
const NAME = /^copydesk-\d{8}T\d{9}Z$/;
const PARTIAL = /^copydesk-\d{8}T\d{9}Z\.partial$/;
/** No backup takes longer: one of this age was left by a machine that lost its power. */
const ABANDONED_MS = 2 * 86_400_000;

const VARIABLE = 'DATABASE_BACKUP_URL';

export interface BackupOptions {
  /** Login that row-level security does not bind. */
  url: string;
  /** Folder of all backups. */
  to: string;
  binDir: string | undefined;
  /** Recipients of age; none: the dump is not encrypted. */
  recipients: readonly string[];
  now: () => Date;
  /** Aborts the backup and leaves nothing of it, on the disk or in the database. */
  interrupted?: AbortSignal;
}

/**
 * Dumps the database into a folder of its own, beside a manifest of the same snapshot. A backup that was interrupted
 * never has a backup's name. Of an encrypted one, nothing is ever on the disk that is not encrypted. The session that
 * holds the snapshot has no timeouts, whatever the server and its roles have.
 * @returns the backup's folder and manifest
 * @throws StartError when the login may not see every row: its dump would be incomplete
 */
export async function takeBackup(options: BackupOptions): Promise<{ folder: string; manifest: Manifest }> {
  const { url, to, binDir, recipients, now, interrupted } = options;
  const encrypter = recipients.length > 0 ? encrypterFor(recipients) : null;
  const takenAt = now();
  const folder = join(to, `copydesk-${takenAt.toISOString().replace(/[-:.]/g, '')}`);
  const partial = `${folder}.partial`;
  const client = await connectForCommand(url, VARIABLE, {
    application_name: 'copydesk-backup',
    keepAlive: true,
  });
  const running: RunningProgram[] = [];
  const interrupt = () => {
    for (const program of running) program.stop();
    void endSession(url, client);
  };
  interrupted?.addEventListener('abort', interrupt, { once: true });
  try {
    interrupted?.throwIfAborted();
    await requireEveryRow(client);
    await mkdir(partial, { recursive: true, mode: 0o700 });
    await removeAbandoned(to, takenAt);
    // The manifest and the dump are of one snapshot, which lives as long as this transaction.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
    const file = join(partial, dumpFileOf({ encryptedTo: [...recipients] }));
    interrupted?.throwIfAborted();
    const dump = startProgram(
      'pg_dump',
      ['--format=custom', `--snapshot=${rows[0]?.snapshot}`, '--no-password'],
      { binDir, url, hasOwnGroup: true },
    );
    // Reads the whole archive back now: this machine cannot open an encrypted one later.
    const reader = startProgram('pg_restore', ['--file=/dev/null'], {
      binDir,
      url: null,
      hasOwnGroup: true,
    });
    running.push(dump, reader);
    const plain = readBack(dump, reader);
    const stored = await store(encrypter ? await encrypted(plain, encrypter) : plain, file, interrupted);
    const content = await describeContent(client);
    await client.query('COMMIT');
    const manifest: Manifest = {
      takenAt: takenAt.toISOString(),
      ...content,
      dump: stored,
      encryptedTo: [...recipients],
    };
    await writeFile(join(partial, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    interrupted?.throwIfAborted();
    await rename(partial, folder);
    return { folder, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (interrupted?.aborted)
      throw new StartError('The backup was interrupted. Nothing of it is left.', { isSetting: false });
    throw error;
  } finally {
    interrupted?.removeEventListener('abort', interrupt);
    await client.end().catch(() => {});
  }
}

/** A session that counts rows does not notice that its client is gone, and would hold its snapshot until it is done. */
async function endSession(url: string, client: pg.Client): Promise<void> {
  const { processID } = client as unknown as { processID: number };
  try {
    const other = await connectForCommand(url, VARIABLE, { application_name: 'copydesk-backup' });
    await other.query('SELECT pg_terminate_backend($1)', [processID]).finally(() => other.end());
  } catch {
    // It ends with its connection, which closes in any case.
  }
}

/** Removes what a lost machine left of earlier backups. */
async function removeAbandoned(to: string, now: Date): Promise<void> {
  for (const name of (await readdir(to)).filter((each) => PARTIAL.test(each))) {
    const { mtimeMs } = await stat(join(to, name));
    if (now.getTime() - mtimeMs > ABANDONED_MS) await rm(join(to, name), { recursive: true, force: true });
  }
}

/**
 * What pg_dump writes, which pg_restore reads at the same time.
 * @throws StartError of whichever failed first
 */
async function* readBack(dump: RunningProgram, reader: RunningProgram): AsyncGenerator<Uint8Array> {
  reader.output.resume();
  try {
    for await (const chunk of dump.output as AsyncIterable<Buffer>) {
      if (reader.input.destroyed) await reader.ended;
      else if (!reader.input.write(chunk)) await Promise.race([once(reader.input, 'drain'), reader.ended]);
      yield chunk;
    }
    // Before the reader gets its end of input: otherwise its complaint about a short archive might come
    // first.
    await dump.ended;
    reader.input.end();
    await reader.ended;
  } finally {
    dump.stop();
    reader.stop();
  }
}

/** Writes a file, and reads it again. @throws StartError when the disk gives back something else */
async function store(
  content: AsyncIterable<Uint8Array>,
  file: string,
  interrupted: AbortSignal | undefined,
): Promise<Manifest['dump']> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    { ...(interrupted && { signal: interrupted }) },
  );
  const sha256 = hash.digest('hex');
  if ((await sha256Of(file, interrupted)) !== sha256)
    throw new StartError(`${file} was not stored as it was written. Check the disk.`, { isSetting: false });
  return { bytes, sha256 };
}

/** Removes all but the newest backups of a folder. @returns the removed ones */
export async function removeOldBackups(to: string, keep: number): Promise<string[]> {
  const backups = (await readdir(to)).filter((name) => NAME.test(name)).sort();
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const name of old) await rm(join(to, name), { recursive: true });
  return old;
}

async function requireEveryRow(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; sees_all: boolean; reads_all: boolean }>(`
    SELECT rolname AS name, rolsuper OR rolbypassrls AS sees_all,
      pg_has_role(current_user, 'pg_read_all_data', 'USAGE') AS reads_all
    FROM pg_roles WHERE rolname = current_user`);
  const [role] = rows;
  if (role?.sees_all && role.reads_all) return;
  throw new StartError(
    `${VARIABLE}: row-level security hides rows from ${role?.name}, so its backup would miss them. A superuser makes a login for backups with: CREATE ROLE copydesk_backup LOGIN BYPASSRLS PASSWORD '...' IN ROLE pg_read_all_data;`,
  );
}
