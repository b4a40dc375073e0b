import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../platform/process/free-port.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { createCluster, removePartialClusters, resetPassword } from './create-cluster.ts';
import type { DataFolders } from './data-folders.ts';
import { damagedFolder } from './embedded-postgres-error.ts';
import { makeFolder } from './make-folder.ts';
import { stopOrphan } from './postmaster-file.ts';
import { type RunningServer, runServer, ServerRefused } from './run-server.ts';
import { loadSecrets, ownerUrlOf, saveSecrets } from './secrets-file.ts';
import { findServerUser, takeOver } from './unprivileged-user.ts';

interface StartOptions extends DataFolders {
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
 * Starts PostgreSQL 18 on loopback from the binaries that npm installed, creating the cluster if there is none. Never
 * removes data: an unusable folder is an EmbeddedPostgresError that names the remedy. Callers ensure that only one
 * process uses a folder at a time.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const { dataDir, cacheDir, onProgress = () => {}, forTests = false, other = null } = options;
  const clusterDir = join(dataDir, 'postgres');
  const user = findServerUser(clusterDir);
  const binaries = prepareBinaries(user, cacheDir, other?.packageDir);
  makeFolder(dataDir);
  const { secrets, isNew } = loadSecrets(dataDir);
  const cluster = {
    dataDir,
    clusterDir,
    binaries,
    user,
    password: secrets.password,
    mayCreateDatabases: forTests,
    icuLocale: other?.icuLocale ?? null,
  };

  if (existsSync(clusterDir)) {
    requireUsableCluster(dataDir, clusterDir, binaries);
    if (user) takeOver(clusterDir, user);
    if (await stopOrphan(clusterDir)) onProgress('Stopped a database that an earlier run had left behind');
    if (isNew) {
      await resetPassword(cluster).catch((error: Error) => {
        throw damagedFolder({
          dataDir,
          clusterDir,
          problem: `PostgreSQL does not start (${error.message}).`,
        });
      });
    }
  } else {
    onProgress('Creating the database');
    await createCluster(cluster);
  }
  removePartialClusters(dataDir);

  onProgress('Starting the database');
  const { server, port } = await startWithRetries(options, clusterDir, binaries, secrets.port);
  if (port !== secrets.port) saveSecrets(dataDir, { ...secrets, port });
  return { ...server, port, ownerUrl: ownerUrlOf({ ...secrets, port }) };
}

async function startWithRetries(
  { dataDir, forTests = false }: StartOptions,
  clusterDir: string,
  binaries: Binaries,
  preferredPort: number,
): Promise<{ server: RunningServer; port: number }> {
  const user = findServerUser(clusterDir);
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort(preferredPort);
    try {
      const place = { program: binaries.postgres, dataDir, clusterDir, user, port, durable: !forTests };
      return { server: await runServer(place), port };
    } catch (error) {
      if (!(error instanceof ServerRefused)) throw error;
      if (attempt >= START_ATTEMPTS || !WORTH_ANOTHER_ATTEMPT.test(error.message)) {
        const logFile = join(dataDir, 'postgres.log');
        throw damagedFolder({
          dataDir,
          clusterDir,
          logFile,
          problem: `PostgreSQL does not start (${error.message}).`,
        });
      }
      await sleep(200 * attempt);
    }
  }
}

function requireUsableCluster(dataDir: string, clusterDir: string, { majorVersion }: Binaries): void {
  const versionFile = join(clusterDir, 'PG_VERSION');
  if (!statSync(clusterDir).isDirectory() || !existsSync(versionFile)) {
    throw damagedFolder({
      dataDir,
      clusterDir,
      problem: 'it has no PG_VERSION, so it is no PostgreSQL cluster.',
    });
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  if (found !== String(majorVersion)) {
    const problem = `it was made by PostgreSQL ${found || '(unknown)'} and this is PostgreSQL ${majorVersion}.`;
    throw damagedFolder({ dataDir, clusterDir, problem });
  }
}
