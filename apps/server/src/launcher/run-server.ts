import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostmasterFile, stopPostmaster } from './postmaster-file.ts';
import { lastComplaint, SERVER_ENV } from './run-program.ts';
import { serverSettings } from './server-settings.ts';
import type { UnixUser } from './unprivileged-user.ts';

interface ServerPlace {
  program: string;
  dataDir: string;
  clusterDir: string;
  user: UnixUser | null;
  port: number;
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

/** Starts the server and waits until it accepts connections; recovery after a crash can take a while. */
export async function runServer(place: ServerPlace): Promise<RunningServer> {
  const { program, dataDir, clusterDir, user, port, durable } = place;
  const log = openServerLog(dataDir);
  const settings = Object.entries(serverSettings(port, durable)).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  // Detached: a process group of its own, which Ctrl-C in the terminal does not reach.
  const child = spawn(program, ['-D', clusterDir, ...settings], {
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
    const file = readPostmasterFile(clusterDir);
    if (file?.pid === child.pid && file?.isReady) {
      return {
        pid: file.pid,
        ended,
        stop: () => stopPostmaster(file.pid, () => child.exitCode === null && child.signalCode === null),
      };
    }
    await sleep(10);
  }
  throw new ServerRefused(failure);
}

const LIMIT_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

interface ServerLog {
  path: string;
  /** Opened for appending, so writing continues at the new end of a truncated file. */
  fd: number;
  /** The text written since the log was opened. */
  readNew(): string;
}

/** Opens PostgreSQL's log. Keeps at most two files of 10 MB each: the current one and the previous one. */
function openServerLog(dataDir: string): ServerLog {
  const path = join(dataDir, 'postgres.log');
  const fd = openSync(path, 'a', 0o600);
  limitSize(path);
  const start = statSync(path).size;
  setInterval(limitSize, CHECK_EVERY_MS, path).unref();
  return { path, fd, readNew: () => readFileSync(path).subarray(start).toString() };
}

function limitSize(path: string): void {
  try {
    if (statSync(path).size < LIMIT_BYTES) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // The folder may have been moved aside; a log is never a reason to fail.
  }
}
