import { isDemoWorld } from '../features/people/set-up/demo-world.views.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { StartError } from '../platform/process/start-error.ts';

/**
 * Personas sign in without a password, and the seed has no bounds, in a demo world only: where configuration asks for it
 * and the database is none, nothing starts.
 */
export async function requireDemoWorld(options: {
  db: Database;
  config: { isDemo: boolean };
}): Promise<void> {
  if (!options.config.isDemo || (await options.db.read(WHOLE_SCOPE, isDemoWorld))) return;
  throw new StartError(
    'COPYDESK_DEMO is set, but this database is not a demo world. Take it out of the settings.',
  );
}
