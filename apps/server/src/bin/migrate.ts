import { readConfig } from '../config.ts';
import { requireDatabase } from '../platform/db/connection/database-url.ts';
import { migrate } from '../platform/db/installation/migrate.ts';
import { planMigrations } from '../platform/db/migrations/plan.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

// Migrates the database of DATABASE_OWNER_URL (or DATABASE_URL) to this version's schema. `plan` says what that would
// lock, and changes nothing.
await runCommand(async () => {
  const { databaseOwnerUrl } = readConfig();
  if (!databaseOwnerUrl) throw new StartError('Set DATABASE_OWNER_URL or DATABASE_URL.');
  const [command] = process.argv.slice(2);
  if (command !== undefined && command !== 'plan')
    throw new StartError('Usage: bin/copydesk migrate [plan]', { isSetting: false });
  await requireDatabase(databaseOwnerUrl, 'DATABASE_OWNER_URL');
  if (command === 'plan') {
    for (const line of await planMigrations(databaseOwnerUrl)) console.log(line);
    return;
  }
  const { applied } = await migrate(databaseOwnerUrl);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.');
});
