import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../platform/process/start-error.ts';

/** A fast shutdown writes a checkpoint first, which takes a while after a bulk load. */
const FAST_STOP_MS = 30_000;

/** Settings of a server that no code of PostgreSQL reads: its command line says who started it, and for which console. */
export const launcherSettings = (url: string) => ({
  'copydesk.launcher': String(process.pid),
  'copydesk.url': url,
});

/** The server that runs on a cluster. */
interface Postmaster {
  pid: number;
  /** Whether it accepts connections. */
  isReady: boolean;
  /** The process that started it, with the address of its console; null: it was killed, and left the server behind. */
  launcher: { pid: number; url: string } | null;
}

/**
 * The server of a cluster by its postmaster.pid, which is the lock of a data folder; null when none runs. The pid proves
 * nothing after a crash, since it may belong to another program: the command line has to name the cluster, and the
 * launcher has to be the parent still, which a process loses when its parent ends.
 */
export function findPostmaster(clusterDir: string): Postmaster | null {
  const lines = read(join(clusterDir, 'postmaster.pid')).split('\n');
  const pid = Number(lines[0]);
  const command = commandOf(pid, clusterDir);
  if (!command) return null;
  const settingOf = (name: string) =>
    command.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const parent = /\) \S (\d+) /.exec(read(`/proc/${pid}/stat`))?.[1];
  const isOfParent = parent !== undefined && parent === settingOf('copydesk.launcher');
  return {
    pid,
    isReady: lines[7]?.trim() === 'ready',
    launcher: isOfParent ? { pid: Number(parent), url: settingOf('copydesk.url') ?? '' } : null,
  };
}

/**
 * The words with which a server of a cluster was started; null: the process is not a server, has ended, or is
 * a zombie.
 */
function commandOf(pid: number, clusterDir: string): string[] | null {
  const command = read(`/proc/${pid}/cmdline`).split('\0');
  const isServer = command[0]?.endsWith('postgres') && command.includes(realpathSync(clusterDir));
  return isServer ? command : null;
}

/**
 * Stops a server that outlived its launcher; returns whether there was one.
 * @throws StartError when its launcher lives
 */
export async function stopOrphan(clusterDir: string): Promise<boolean> {
  const found = findPostmaster(clusterDir);
  if (!found) {
    // PostgreSQL would take another program with the pid of a killed server for a running one.
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
    return false;
  }
  if (found.launcher) {
    const { pid, url } = found.launcher;
    throw new StartError(
      `Copydesk is running on this data folder (${url || `process ${pid}`}). Stop it first.`,
    );
  }
  await stopPostmaster(found.pid, () => commandOf(found.pid, clusterDir) !== null);
  return true;
}

/** Fast shutdown (sessions are ended, data is flushed), and after 30 s an immediate one. */
export async function stopPostmaster(pid: number, isRunning: () => boolean): Promise<void> {
  const steps = [
    { signal: 'SIGINT', waitMs: FAST_STOP_MS },
    { signal: 'SIGQUIT', waitMs: 5000 },
    { signal: 'SIGKILL', waitMs: 5000 },
  ] as const;
  for (const { signal, waitMs } of steps) {
    const deadline = Date.now() + waitMs;
    if (isRunning()) sendSignal(pid, signal);
    while (isRunning() && Date.now() < deadline) await sleep(10);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The server ended in between.
  }
}

/** The content of a file that may not exist, or not any more. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
