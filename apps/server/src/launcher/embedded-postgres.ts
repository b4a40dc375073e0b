import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../platform/process/free-port.ts';
import { StartError } from '../platform/process/start-error.ts';
import { accessFileOf, createAccess, ownerUrlOf, readAccess, saveAccess } from './access-file.ts';
import { findBinaries } from './binaries.ts';
import { createCluster } from './create-cluster.ts';
import { type DataFolders, makeFolder } from './data-folders.ts';
import { stopOrphan } from './postmaster.ts';
import { type RunningServer, runServer, ServerRefused } from './run-server.ts';
import { findServerUser, giveTo } from './server-user.ts';

interface StartOptions extends DataFolders {
  /** Of the console that the database is for: a second start on the folder names it. */
  url?: string;
  onProgress?: (line: string) => void;
  /** Test databases: no flushing to disk, and the owner may create databases. */
  forTests?: boolean;
  /** Another PostgreSQL than the installed one: the folder of its package, and the locale of its databases. */
  other?: { packageDir: string; icuLocale: string } | null;
}

export interface EmbeddedPostgres extends RunningServer {
  /** Connects as role `copydesk`, owner of database `copydesk`: may create roles, is no superuser. */
  ownerUrl: string;
  port: number;
}

/** Other programs may take the port between looking for it and using it; backends of a killed server linger. */
const START_ATTEMPTS = 5;
const WORTH_ANOTHER_ATTEMPT =
  /could not (bind|create any TCP)|Address already in use|shared memory block|is still in use/i;

/**
 * Starts PostgreSQL 18 on loopback from the binaries that npm installed, creating the cluster if there is none, and ends
 * a server that a killed start has left behind. Never removes data.
 * @throws StartError when the folder is in use, or cannot be used; its message names the remedy
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const { dataDir, cacheDir, url = '', onProgress = () => {}, forTests = false, other = null } = options;
  const clusterDir = join(dataDir, 'postgres');
  const user = findServerUser(clusterDir);
  const binaries = findBinaries(user, cacheDir, other?.packageDir);
  makeFolder(dataDir);
  const stored = readAccess(dataDir);
  const isNew = !existsSync(clusterDir);
  const noPassword = `the file with its password, ${accessFileOf(dataDir)}, is missing or damaged.`;
  const problem = findClusterProblem(clusterDir, binaries.majorVersion) ?? (stored ? null : noPassword);
  if (!isNew && problem) throw unusable(dataDir, problem);
  const access = stored ?? createAccess(dataDir);
  if (isNew) {
    onProgress('Creating the database');
    const { password } = access;
    const icuLocale = other?.icuLocale ?? null;
    await createCluster({
      ...{ dataDir, clusterDir, binaries, user, password },
      mayCreateDatabases: forTests,
      icuLocale,
    });
  } else {
    if (user) giveTo(user, clusterDir);
    if (await stopOrphan(clusterDir)) onProgress('Stopped a database that an earlier run had left behind');
  }
  onProgress('Starting the database');
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort(access.port);
    try {
      const place = { program: binaries.postgres, dataDir, clusterDir, user, port, url, durable: !forTests };
      const server = await runServer(place);
      if (port !== access.port) saveAccess(dataDir, { ...access, port });
      return { ...server, port, ownerUrl: ownerUrlOf({ ...access, port }) };
    } catch (error) {
      if (!(error instanceof ServerRefused)) throw error;
      if (attempt >= START_ATTEMPTS || !WORTH_ANOTHER_ATTEMPT.test(error.message))
        throw unusable(dataDir, `PostgreSQL does not start (${error.message}).`, 'postgres.log');
      await sleep(200 * attempt);
    }
  }
}

function findClusterProblem(clusterDir: string, majorVersion: number): string | null {
  const versionFile = join(clusterDir, 'PG_VERSION');
  if (!existsSync(versionFile)) return 'it has no PG_VERSION, so it is no PostgreSQL cluster.';
  const found = readFileSync(versionFile, 'utf8').trim();
  return found === String(majorVersion)
    ? null
    : `it was made by PostgreSQL ${found || '(unknown)'} and this is PostgreSQL ${majorVersion}.`;
}

/** The product never deletes or repairs data: the message names the problem and the remedy. */
function unusable(dataDir: string, problem: string, logFile?: string): StartError {
  const lines = [
    `The database folder cannot be used: ${problem}`,
    `  Folder: ${join(dataDir, 'postgres')}`,
    ...(logFile === undefined ? [] : [`  Log:    ${join(dataDir, logFile)}`]),
    `  Nothing was changed. "npm run reset" moves ${dataDir} aside and the next start begins with a new one.`,
  ];
  return new StartError(lines.join('\n'), { isSetting: false });
}
