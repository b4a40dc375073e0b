import { readConfig } from '../config.ts';
import { requireDatabase } from '../platform/db/connection/database-url.ts';
import { createDatabase } from '../platform/db/installation/create-database.ts';
import { migrate } from '../platform/db/installation/migrate.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

// Creates the database and the logins of DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL, DATABASE_OPERATOR_URL and
// DATABASE_BACKUP_URL, as the superuser of DATABASE_ADMIN_URL or a role with CREATEROLE and CREATEDB, and migrates it.
await runCommand(async () => {
  const { databaseAdminUrl: adminUrl, ...config } = readConfig();
  const { databaseOwnerUrl: ownerUrl, databaseUrl: applicationUrl, databaseWorkerUrl: workerUrl } = config;
  const { databaseOperatorUrl: operatorUrl, databaseBackupUrl: backupUrl } = config;
  if (!adminUrl || !ownerUrl || !applicationUrl)
    throw new StartError('Set DATABASE_ADMIN_URL, DATABASE_OWNER_URL and DATABASE_URL.');
  const { database, made, isResumed } = await createDatabase({
    adminUrl,
    ownerUrl,
    applicationUrl,
    workerUrl,
    operatorUrl,
    backupUrl,
  });
  const { applied } = await migrate(ownerUrl);
  // A role that was there has kept its password.
  for (const [variable, url] of Object.entries({
    DATABASE_URL: applicationUrl,
    DATABASE_WORKER_URL: workerUrl,
    DATABASE_OPERATOR_URL: operatorUrl,
    DATABASE_BACKUP_URL: backupUrl,
  }))
    if (url) await requireDatabase(url, variable);
  const roles = made.length > 0 ? made.join(', ') : 'none, all exist';
  const what = isResumed ? 'Finished' : 'Created';
  console.log(`${what} the database ${database}. New roles: ${roles}. Applied ${applied.length} migrations.`);
});
