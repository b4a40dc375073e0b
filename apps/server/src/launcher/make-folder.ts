import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Creates a folder that other users may pass through, whatever the umask: PostgreSQL may run as another user. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
    chmodSync(path, 0o755);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new EmbeddedPostgresError(
      `The folder ${path} cannot be created (${(error as NodeJS.ErrnoException).code}). Choose another place with COPYDESK_DATA_DIR.`,
    );
  }
}
