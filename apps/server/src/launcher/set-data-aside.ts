import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../platform/process/start-error.ts';
import { resolveDataFolders } from './data-folders.ts';
import { stopOrphan } from './postmaster-file.ts';
import { readLock } from './start-lock.ts';

/**
 * Moves the data folder aside, so that the next start begins with a new one. Deletes nothing.
 * @param confirm called before anything happens
 * @returns a summary for the operator; StartError when the folder is in use
 */
export async function setDataAside(
  projectDir: string,
  configured: string | undefined,
  confirm: (question: string) => Promise<boolean>,
): Promise<string> {
  const { dataDir } = resolveDataFolders(projectDir, configured);
  if (!existsSync(dataDir)) return `There is no data folder at ${dataDir}: the next start creates one.`;
  const lock = await readLock(dataDir);
  if (lock.state === 'held') {
    throw new StartError(`Copydesk runs on ${dataDir} (process ${lock.pid}). Stop it first.`);
  }
  const aside = nameAside(dataDir);
  if (!(await confirm(`Move ${dataDir} to ${aside}?`))) return 'Nothing was changed.';
  await stopOrphan(join(dataDir, 'postgres'));
  renameSync(dataDir, aside);
  return `Moved ${dataDir} to ${aside}. The next start begins with a new database.`;
}

/** The new name of a data folder that is moved aside. */
export const nameAside = (dataDir: string) =>
  `${dataDir}.broken-${new Date().toISOString().replaceAll(/[-:]|\..*/g, '')}`;
