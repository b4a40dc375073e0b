import { copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

export interface ServerLog {
  path: string;
  /** Opened for appending, so writing continues at the new end of a truncated file. */
  fd: number;
  /** The text written since the log was opened. */
  readNew(): string;
}

/** Opens PostgreSQL's log. Keeps at most two files of 10 MB each: the current one and the previous one. */
export function openServerLog(dataDir: string): ServerLog {
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
