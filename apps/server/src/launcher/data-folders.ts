import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { canReach, findServerUser } from './unprivileged-user.ts';

/** Root's data folder for a project that PostgreSQL's user cannot reach, such as one under /root (0700). */
const SYSTEM_FOLDER = '/var/lib/copydesk';

export interface DataFolders {
  /** The database, its secrets and its log: the files that `npm run reset` moves aside. */
  dataDir: string;
  /** Files that can be recreated: copied binaries, test databases. */
  cacheDir: string;
}

/** Decides on the data folder: `configured` (COPYDESK_DATA_DIR), else in the project, else in a system folder. */
export function resolveDataFolders(projectDir: string, configured?: string): DataFolders {
  const given = configured === undefined ? undefined : resolve(configured);
  const local = { dataDir: given ?? join(projectDir, '.data'), cacheDir: join(projectDir, '.cache') };
  const user = findServerUser(join(local.dataDir, 'postgres'));
  if (user === null || (canReach(local.dataDir, user) && canReach(local.cacheDir, user))) return local;
  if (given !== undefined) {
    if (canReach(given, user)) return { dataDir: given, cacheDir: join(given, 'cache') };
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and its user (uid ${user.uid}) has no access to ${given} (COPYDESK_DATA_DIR).`,
    );
  }
  const key = createHash('sha256').update(realpathSync(projectDir)).digest('hex').slice(0, 10);
  const base = join(SYSTEM_FOLDER, key);
  return { dataDir: join(base, 'data'), cacheDir: join(base, 'cache') };
}
