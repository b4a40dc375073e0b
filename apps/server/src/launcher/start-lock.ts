import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { StartError } from '../platform/process/start-error.ts';

const ANSWER_TIMEOUT_MS = 2000;

/** The holder of a data folder, as written in its lock file. */
interface Holder {
  pid: number;
  url: string;
  /** Loopback port on which the holder answers with `token` while it lives. */
  port: number;
  token: string;
}

/** `stale`: the holder was killed and its children may still be shutting down. */
export type LockState = { state: 'free' | 'stale' } | { state: 'held'; pid: number; url: string };

/**
 * Checks whether a supervisor holds the folder. A pid proves nothing after a crash (it may belong to another program),
 * so this asks the holder: its socket closes with its process.
 */
export async function readLock(dataDir: string): Promise<LockState> {
  const holder = readHolder(dataDir);
  if (!holder) return { state: 'free' };
  if (!(await answers(holder))) return { state: 'stale' };
  return { state: 'held', pid: holder.pid, url: holder.url };
}

/** Locks the folder for this process, until `release` or its end. */
export async function takeLock(dataDir: string, url: string): Promise<{ release(): void }> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((socket) => socket.on('error', () => {}).end(token));
  server.unref();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  const path = lockPath(dataDir);
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, url, port, token } satisfies Holder), {
    mode: 0o600,
  });
  try {
    while (!linkIfAbsent(own, path)) await removeStale(dataDir, path, own);
  } finally {
    rmSync(own, { force: true });
  }
  const release = () => {
    if (readHolder(dataDir)?.token === token) rmSync(path, { force: true });
    server.close();
  };
  return { release };
}

async function removeStale(dataDir: string, path: string, own: string): Promise<void> {
  const holder = readHolder(dataDir);
  if (holder && (await answers(holder))) {
    throw new StartError(`Another start (process ${holder.pid}) has just begun on ${dataDir}.`);
  }
  const aside = `${own}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // Two starts may see the same dead holder; the slower one must not remove the lock of the faster one.
  const moved = JSON.parse(readFileSync(aside, 'utf8')) as Holder;
  if (holder && moved.token !== holder.token) linkIfAbsent(aside, path);
  rmSync(aside, { force: true });
}

function linkIfAbsent(source: string, path: string): boolean {
  try {
    linkSync(source, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function answers({ port, token }: Holder): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1');
    const finish = (isHolder: boolean) => {
      socket.destroy();
      resolve(isHolder);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(false));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => finish(false));
    socket.on('end', () => finish(answer === token));
  });
}

function readHolder(dataDir: string): Holder | null {
  try {
    return JSON.parse(readFileSync(lockPath(dataDir), 'utf8'));
  } catch {
    return null;
  }
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'start.lock');
}
