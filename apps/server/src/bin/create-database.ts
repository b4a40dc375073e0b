import { readConfig } from '../config.ts';
import { createDatabase } from '../platform/db/create-database.ts';
import { requireDatabase } from '../platform/db/database-url.ts';
import { migrate } from '../platform/db/migrate.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

// Creates the database and the logins of DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL, DATABASE_OPERATOR_URL and
// DATABASE_BACKUP_URL, as the superuser of DATABASE_ADMIN_URL, and migrates it.
await runCommand(async () => {
  const { databaseAdminUrl: adminUrl, ...config } = readConfig();
  const { databaseOwnerUrl: ownerUrl, databaseUrl: applicationUrl, databaseWorkerUrl: workerUrl } = config;
  const { databaseOperatorUrl: operatorUrl, databaseBackupUrl: backupUrl } = config;
  if (!adminUrl || !ownerUrl || !applicationUrl)
    throw new StartError('Set DATABASE_ADMIN_URL, DATABASE_OWNER_URL and DATABASE_URL.');
  await requireDatabase(adminUrl, 'DATABASE_ADMIN_URL');
  const { database, made } = await createDatabase({
    adminUrl,
    ownerUrl,
    applicationUrl,
    workerUrl,
    operatorUrl,
    backupUrl,
  });
  const { applied } = await migrate(ownerUrl);
  const roles = made.length > 0 ? made.join(', ') : 'none, all exist';
  console.log(`Created the database ${database}. New roles: ${roles}. Applied ${applied.length} migrations.`);
});
