import { readMigrations } from '../../apps/server/src/platform/db/installation/migrate.ts';
import { asOwner } from './owner.ts';

/** Runs a migration that only changes rows once more, on rows as a version before left them. */
export async function runMigration(ownerUrl: string, name: string): Promise<void> {
  const found = (await readMigrations()).find((migration) => migration.name === name);
  if (!found) throw new Error(`there is no migration ${name}`);
  await asOwner(ownerUrl, found.text);
}
