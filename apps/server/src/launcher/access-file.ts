import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../platform/process/start-error.ts';
import { resolveDataFolders } from './data-folders.ts';
import { findPostmaster } from './postmaster.ts';

/** How the owner of the schema signs in; stored outside the cluster, readable by its owner only. */
interface Access {
  /** 0 before the first start. */
  port: number;
  password: string;
}

export const accessFileOf = (dataDir: string) => join(dataDir, 'postgres-access.json');

/** The connection of the owner of the schema. */
export const ownerUrlOf = ({ port, password }: Access) =>
  `postgres://copydesk:${password}@127.0.0.1:${port}/copydesk`;

/** Null when there is no file, or it is damaged. */
export function readAccess(dataDir: string): Access | null {
  try {
    const { port, password } = JSON.parse(readFileSync(accessFileOf(dataDir), 'utf8'));
    return Number.isInteger(port) && typeof password === 'string' && password !== ''
      ? { port, password }
      : null;
  } catch {
    return null;
  }
}

/** For a cluster that is about to be created. */
export function createAccess(dataDir: string): Access {
  const access = { port: 0, password: randomBytes(24).toString('base64url') };
  saveAccess(dataDir, access);
  return access;
}

/** Replaces the file in one step, so that a crash leaves the old or the new one. */
export function saveAccess(dataDir: string, access: Access): void {
  const path = accessFileOf(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

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
export function findRunningDatabase(configured: string | undefined): RunningDatabase {
  const { dataDir } = resolveDataFolders(configured);
  const postmaster = findPostmaster(join(dataDir, 'postgres'));
  if (!postmaster?.launcher)
    throw new StartError(
      `DATABASE_URL is not set, and Copydesk is not running on the data folder ${dataDir}. Start it with "npm start", or set DATABASE_URL: on a server, load the files of /etc/copydesk first. COPYDESK_DATA_DIR names another data folder.`,
      { isSetting: false },
    );
  const access = readAccess(dataDir);
  if (!access?.port || !postmaster.isReady)
    throw new StartError(`Copydesk is still starting on the data folder ${dataDir}. Try again in a moment.`, {
      isSetting: false,
    });
  return { ownerUrl: ownerUrlOf(access), dataDir, url: postmaster.launcher.url };
}
