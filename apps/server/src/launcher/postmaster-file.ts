import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A fast shutdown writes a checkpoint first, which takes a while after a bulk load. */
const FAST_STOP_MS = 30_000;

/** The server's own entry in the cluster's postmaster.pid. */
interface PostmasterFile {
  pid: number;
  isReady: boolean;
}

/** Reads postmaster.pid, or null when no server holds the cluster. */
export function readPostmasterFile(clusterDir: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/** Stops a server that outlived its supervisor; returns whether there was one. */
export async function stopOrphan(clusterDir: string): Promise<boolean> {
  const file = readPostmasterFile(clusterDir);
  if (!file) return false;
  if (!isPostmasterOf(file.pid, clusterDir)) {
    // The pid now belongs to another program; PostgreSQL would take it for a running server.
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
    return false;
  }
  await stopPostmaster(file.pid, () => isPostmasterOf(file.pid, clusterDir));
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

/** False for a zombie too (its command line is empty): a container may have no process that reaps an orphan. */
function isPostmasterOf(pid: number, clusterDir: string): boolean {
  const command = commandLine(pid);
  return command.includes('postgres') && command.includes(clusterDir);
}

/** Slim Linux images have no ps, macOS has no /proc. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
