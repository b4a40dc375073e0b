import { join } from 'node:path';
import { readConfig } from '../../apps/server/src/config.ts';
import { resolveDataFolders } from '../../apps/server/src/launcher/data-folders.ts';

/** Where the databases of benchmarks are. */
export function benchFolders(): { dataDir: string; cacheDir: string } {
  const { cacheDir } = resolveDataFolders(readConfig().dataDir);
  return { dataDir: join(cacheDir, 'bench'), cacheDir };
}
