import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostmasterFile, stopPostmaster } from './postmaster-file.ts';
import { lastComplaint, SERVER_ENV } from './run-program.ts';
import { openServerLog } from './server-log.ts';
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
