import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { recordBackup, recordVerified } from '../platform/backup/backup-records.store.ts';
import { removeOldBackups, takeBackup } from '../platform/backup/take-backup.ts';
import { requireDatabase } from '../platform/db/connection/database-url.ts';
import { awaitInterruption, runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

const USAGE = `Usage: bin/copydesk backup --to <folder> [--keep <number>] [--plain]
  Dumps the database of DATABASE_BACKUP_URL into a new folder below it, encrypted to BACKUP_AGE_RECIPIENTS, with a
  manifest, reads the dump back, and notes it in DATABASE_URL. --keep removes all but the newest ones afterwards.
  --plain, without recipients, leaves it unencrypted.

       bin/copydesk backup --verified <folder of a backup>
  Notes that it was restored and checked.`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      keep: { type: 'string' },
      verified: { type: 'string' },
      plain: { type: 'boolean', default: false },
    },
  });
  const config = readConfig();
  const { databaseBackupUrl: url, databaseUrl: applicationUrl, postgresBinDir: binDir } = config;
  if (!applicationUrl) throw new StartError('Set DATABASE_URL.');
  await requireDatabase(applicationUrl, 'DATABASE_URL');
  if (values.verified !== undefined) {
    const isKnown = await recordVerified(applicationUrl, resolve(values.verified));
    if (!isKnown)
      throw new StartError(`No backup in ${resolve(values.verified)} is noted in this database.`, {
        isSetting: false,
      });
    return;
  }
  const keep = values.keep === undefined ? null : Number(values.keep);
  if (!values.to || (keep !== null && !(Number.isInteger(keep) && keep > 0)))
    throw new StartError(USAGE, { isSetting: false });
  if (!url) throw new StartError('Set DATABASE_BACKUP_URL.');
  const recipients = config.backupAgeRecipients;
  if (recipients.length === 0 && !values.plain)
    throw new StartError(
      'Set BACKUP_AGE_RECIPIENTS: whoever copies a plain backup reads every person and every payment in it. bin/copydesk keys --backup makes a pair, on another machine. Where something else encrypts the backups, give --plain.',
    );
  if (recipients.length > 0 && values.plain)
    throw new StartError('BACKUP_AGE_RECIPIENTS is set, so --plain contradicts it. Leave out one of them.');
  await requireDatabase(url, 'DATABASE_BACKUP_URL');
  const to = resolve(values.to);
  const { folder, manifest } = await takeBackup({
    url,
    to,
    binDir,
    recipients,
    now: () => new Date(),
    interrupted: awaitInterruption(),
  });
  await recordBackup(applicationUrl, { location: folder, finishedAt: new Date(), manifest });
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  const tables = Object.keys(manifest.rows).length;
  console.log(
    `${folder}: ${rows} rows in ${tables} tables, ${megabytes(manifest.dump.bytes)}, ${recipients.length > 0 ? 'encrypted' : 'not encrypted'}`,
  );
  const removed = keep === null ? [] : await removeOldBackups(to, keep);
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}`);
});

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
