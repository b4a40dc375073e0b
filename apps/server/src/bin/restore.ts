import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { restoreBackup } from '../platform/backup/restore-backup.ts';
import { migrate } from '../platform/db/installation/migrate.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';
import { secureRestored } from '../wiring/after-restore.ts';
import { openDatabase } from '../wiring/open-database.ts';

const USAGE = `Usage: bin/copydesk restore --from <folder of a backup> [--identity <file>]
  Restores it into the database of DATABASE_OWNER_URL, which must not exist yet, with the roles of DATABASE_OWNER_URL
  and DATABASE_URL. DATABASE_ADMIN_URL is a superuser of the cluster. Stop every API and worker first.
  --identity is the private half of one of the recipients that an encrypted backup was made for.`;

await runCommand(async () => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, identity: { type: 'string' } } });
  if (!values.from) throw new StartError(USAGE, { isSetting: false });
  const config = readConfig();
  const { databaseAdminUrl: adminUrl, databaseOwnerUrl: ownerUrl, databaseUrl: applicationUrl } = config;
  if (!adminUrl || !ownerUrl || !applicationUrl)
    throw new StartError('Set DATABASE_ADMIN_URL, DATABASE_OWNER_URL and DATABASE_URL.');
  const from = resolve(values.from);
  const { takenAt, rows } = await restoreBackup({
    from,
    identity: values.identity === undefined ? null : resolve(values.identity),
    adminUrl,
    ownerUrl,
    applicationUrl,
    workerUrl: config.databaseWorkerUrl,
    operatorUrl: config.databaseOperatorUrl,
    backupUrl: config.databaseBackupUrl,
    binDir: config.postgresBinDir,
  });
  console.log(
    `Restored the state of ${takenAt}: ${Object.keys(rows).length} tables, rows as in the manifest.`,
  );
  const { applied } = await migrate(ownerUrl);
  if (applied.length > 0) console.log(`Applied: ${applied.join(', ')}`);
  const { db } = await openDatabase(config, 'copydesk-restore');
  const { wallets, sessions } = await secureRestored(db, { takenAt, now: () => new Date() }).finally(() =>
    db.close(),
  );
  console.log(`All payments are stopped, ${wallets} wallets are frozen and ${sessions} sessions ended.

Before you start anything:
  bin/copydesk admin check           ledger, audit, addresses, secrets; reports the frozen wallets
  bin/copydesk admin after-restore   compares the wallets with the chain, releases those that have sent nothing since,
                                     and lists the payouts that the books do not have
  bin/copydesk admin resume "..."    lets payments go on, once each wallet on that list is settled`);
});
