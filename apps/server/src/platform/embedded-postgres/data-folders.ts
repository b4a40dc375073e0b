import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { canReach, findServerUser } from './unprivileged-user.ts';

/** Where root keeps data of a project that PostgreSQL's user cannot reach, such as one under /root (0700). */
const SYSTEM_FOLDER = '/var/lib/copydesk';

export interface DataFolders {
  /** The database, its secrets and its log: what `npm run reset` moves aside. */
  dataDir: string;
  /** What can be made again: copied binaries, test databases. */
  cacheDir: string;
}

/** Decides where data lives: `configured` (COPYDESK_DATA_DIR), else in the project, else in a system folder. */
export function resolveDataFolders(projectDir: string, configured?: string): DataFolders {
  const local = { dataDir: join(projectDir, '.data'), cacheDir: join(projectDir, '.cache') };
  const user = findServerUser(join(configured ?? local.dataDir, 'postgres'));
  if (user === null || canReach(projectDir, user)) return { ...local, dataDir: configured ?? local.dataDir };
  const key = createHash('sha256').update(realpathSync(projectDir)).digest('hex').slice(0, 10);
  const base = join(SYSTEM_FOLDER, key);
  return configured === undefined
    ? { dataDir: join(base, 'data'), cacheDir: join(base, 'cache') }
    : { dataDir: configured, cacheDir: join(configured, 'cache') };
}
