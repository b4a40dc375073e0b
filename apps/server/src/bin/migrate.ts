import { readConfig } from '../config.ts';
import { requireDatabase } from '../platform/db/database-url.ts';
import { migrate } from '../platform/db/migrate.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

// Migrates the database of DATABASE_OWNER_URL (or DATABASE_URL) to this version's schema.
await runCommand(async () => {
  const { databaseOwnerUrl } = readConfig();
  if (!databaseOwnerUrl) throw new StartError('Set DATABASE_OWNER_URL or DATABASE_URL.');
  await requireDatabase(databaseOwnerUrl, 'DATABASE_OWNER_URL');
  const { applied } = await migrate(databaseOwnerUrl);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.');
});
