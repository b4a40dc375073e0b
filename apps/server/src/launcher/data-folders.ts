import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../platform/process/start-error.ts';
import { canReach, findServerUser } from './server-user.ts';

export const PROJECT_DIR = fileURLToPath(new URL('../../../..', import.meta.url));

/** Root's data folder for a project that PostgreSQL's user cannot reach, such as one under /root (0700). */
const SYSTEM_FOLDER = '/var/lib/copydesk';

export interface DataFolders {
  /** The database, its secrets and its log: the files that `npm run reset` moves aside. */
  dataDir: string;
  /** Files that can be recreated: test databases, and root's copy of PostgreSQL. */
  cacheDir: string;
}

/**
 * Decides on the data folder: `configured` (COPYDESK_DATA_DIR), else in the project, else in a system folder.
 * @throws StartError when PostgreSQL's user cannot enter a configured one
 */
export function resolveDataFolders(configured?: string): DataFolders {
  const given = configured === undefined ? undefined : resolve(configured);
  const local = { dataDir: given ?? join(PROJECT_DIR, '.data'), cacheDir: join(PROJECT_DIR, '.cache') };
  const user = findServerUser(join(local.dataDir, 'postgres'));
  if (user === null || (canReach(local.dataDir, user) && canReach(local.cacheDir, user))) return local;
  if (given !== undefined) {
    if (canReach(given, user)) return { dataDir: given, cacheDir: join(given, 'cache') };
    throw new StartError(
      `PostgreSQL refuses to run as root, and its user (uid ${user.uid}) has no access to ${given} (COPYDESK_DATA_DIR).`,
      { isSetting: false },
    );
  }
  const key = createHash('sha256').update(realpathSync(PROJECT_DIR)).digest('hex').slice(0, 10);
  return { dataDir: join(SYSTEM_FOLDER, key, 'data'), cacheDir: join(SYSTEM_FOLDER, key, 'cache') };
}

/** Creates a folder that other users may pass through, whatever the umask: PostgreSQL may run as another user. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
    chmodSync(path, 0o755);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    throw new StartError(
      `The folder ${path} cannot be created (${code}). Choose another place with COPYDESK_DATA_DIR.`,
      { isSetting: false },
    );
  }
}
