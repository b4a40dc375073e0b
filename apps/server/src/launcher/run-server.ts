import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster, launcherSettings, stopPostmaster } from './postmaster.ts';
import type { UnixUser } from './server-user.ts';

interface ServerPlace {
  program: string;
  dataDir: string;
  clusterDir: string;
  user: UnixUser | null;
  port: number;
  /** Of the console that the server belongs to. */
  url: string;
  /** False for test databases: a crash of the machine may lose them. */
  durable: boolean;
}

export interface RunningServer {
  pid: number;
  stop(): Promise<void>;
  /** Resolves when the server process ends, whatever the reason. */
  ended: Promise<void>;
}

/** The reason, in PostgreSQL's own words, why a started server never became ready. */
export class ServerRefused extends Error {
  override name = 'ServerRefused';
}

/** PostgreSQL gets no environment of ours: it would otherwise read PGPORT, PGDATA and the like from it. */
export const SERVER_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The last error line of PostgreSQL's output without its prefix, or else the last line. */
export function lastComplaint(output: string): string | undefined {
  const errors = [...output.matchAll(/(?:FATAL|PANIC|ERROR|error): +(.+)/g)];
  return errors.at(-1)?.[1] ?? output.trim().split('\n').at(-1);
}

/** Starts the server and waits until it accepts connections; recovery after a crash can take a while. */
export async function runServer(place: ServerPlace): Promise<RunningServer> {
  const { program, dataDir, clusterDir, user } = place;
  const log = openServerLog(dataDir);
  const settings = Object.entries(settingsOf(place)).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  // Detached: a process group of its own, which Ctrl-C in the terminal does not reach.
  const child = spawn(program, ['-D', realpathSync(clusterDir), ...settings], {
    cwd: clusterDir,
    env: SERVER_ENV,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...user,
  });
  closeSync(log.fd);
  let failure: string | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      failure = error.message;
      resolve();
    });
    child.once('exit', (code, signal) => {
      failure = lastComplaint(log.readNew()) || `it ended with ${code ?? signal}`;
      resolve();
    });
  });
  while (failure === null) {
    const found = findPostmaster(clusterDir);
    if (found?.pid === child.pid && found?.isReady) {
      const { pid } = found;
      const isRunning = () => child.exitCode === null && child.signalCode === null;
      return { pid, ended, stop: () => stopPostmaster(pid, isRunning) };
    }
    await sleep(10);
  }
  throw new ServerRefused(failure);
}

/** Given on the command line at every start, so that a change reaches existing clusters. */
const settingsOf = ({ port, url, durable }: ServerPlace): Record<string, string> => ({
  port: String(port),
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  cluster_name: 'copydesk',
  max_connections: '120',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  dynamic_shared_memory_type: hasSmallSharedMemory() ? 'mmap' : 'posix',
  // Compiling costs more than it saves on queries of a screen.
  jit: 'off',
  // Bulk loads write gigabytes; the default of 1 GB would checkpoint constantly.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and the DETAIL of an error carry row values, which must not reach the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  ...launcherSettings(url),
  ...(durable ? {} : TEST_SETTINGS),
});
const TEST_SETTINGS = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

/** Parallel queries share memory through /dev/shm; containers often have 64 MB there, which is not enough. */
function hasSmallSharedMemory(): boolean {
  if (!existsSync('/dev/shm')) return true;
  const { blocks, bsize } = statfsSync('/dev/shm');
  return blocks * bsize < 512 * 1024 * 1024;
}

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** Opens PostgreSQL's log for appending. A start sets a long one aside, as the only earlier one. */
function openServerLog(dataDir: string) {
  const path = join(dataDir, 'postgres.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  const { size } = statSync(path);
  return { fd, readNew: () => readFileSync(path).subarray(size).toString() };
}
