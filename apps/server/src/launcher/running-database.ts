import { join } from 'node:path';
import { StartError } from '../platform/process/start-error.ts';
import { resolveDataFolders } from './data-folders.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { ownerUrlOf, readSecrets } from './secrets-file.ts';
import { readLock } from './start-lock.ts';

/** The embedded database of a product that is running. */
export interface RunningDatabase {
  /** The connection of the schema's owner: the password of the application's login is only known to its processes. */
  ownerUrl: string;
  dataDir: string;
  /** Of the console. */
  url: string;
}

/**
 * Finds the embedded database of a running `npm start` by its data folder, for a program beside it.
 * @param configured COPYDESK_DATA_DIR
 * @throws StartError when nothing runs on the folder, or its database is not ready
 */
export async function findRunningDatabase(
  projectDir: string,
  configured: string | undefined,
): Promise<RunningDatabase> {
  const { dataDir } = resolveDataFolders(projectDir, configured);
  const lock = await readLock(dataDir);
  if (lock.state !== 'held')
    throw new StartError(
      `DATABASE_URL is not set, and Copydesk is not running on the data folder ${dataDir}. Start it with "npm start", or set DATABASE_URL: on a server, load the files of /etc/copydesk first. COPYDESK_DATA_DIR names another data folder.`,
      { isSetting: false },
    );
  const secrets = readSecrets(dataDir);
  if (!secrets?.port || !readPostmasterFile(join(dataDir, 'postgres'))?.isReady)
    throw new StartError(`Copydesk is still starting on the data folder ${dataDir}. Try again in a moment.`, {
      isSetting: false,
    });
  return {
    ownerUrl: ownerUrlOf(secrets),
    dataDir,
    url: lock.url,
  };
}
