import { StartError } from '../platform/process/start-error.ts';
import { resolveDataFolders } from './data-folders.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { makeFolder } from './make-folder.ts';
import { readLock, takeLock } from './start-lock.ts';

/**
 * Starts the embedded database alone, for one piece of work, and stops it afterwards.
 * @throws when the product is running on the same folder
 */
export async function withDemoDatabase(
  options: { projectDir: string; dataDir: string | undefined; report: (line: string) => void },
  work: (ownerUrl: string, dataDir: string) => Promise<void>,
): Promise<void> {
  const folders = resolveDataFolders(options.projectDir, options.dataDir);
  const held = await readLock(folders.dataDir);
  if (held.state === 'held')
    throw new StartError(`Copydesk is running on this data folder (${held.url}). Stop it first.`);
  makeFolder(folders.dataDir);
  const lock = await takeLock(folders.dataDir, '');
  try {
    const postgres = await startEmbeddedPostgres({ ...folders, onProgress: options.report });
    try {
      await work(postgres.ownerUrl, folders.dataDir);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}
