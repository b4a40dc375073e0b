import { readConfig } from '../config.ts';
import { migrate } from '../platform/db/migrate.ts';

// Migrates the database of DATABASE_OWNER_URL (or DATABASE_URL) to this version's schema.
const { databaseOwnerUrl } = readConfig();
if (!databaseOwnerUrl) {
  console.error('Set DATABASE_OWNER_URL or DATABASE_URL.');
  process.exit(1);
}
const { applied } = await migrate(databaseOwnerUrl);
console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.');
