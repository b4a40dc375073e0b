import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseUrl } from '../db/database-url.ts';
import { StartError } from '../process/start-error.ts';

type Program = 'pg_dump' | 'pg_restore';

/** Where programs are found when no folder is given. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

export interface ProgramPlace {
  /** Folder of PostgreSQL's programs; undefined: those of the system. */
  binDir: string | undefined;
  /** The database that the program connects to; null: none. */
  url: string | null;
}

/** A program that reads and writes streams while it runs. */
export interface RunningProgram {
  input: Writable;
  output: Readable;
  /** @throws StartError with the program's own last words when it fails */
  ended: Promise<void>;
  stop(): void;
}

/**
 * Starts a program of PostgreSQL. The password goes through the environment: every user of the machine sees arguments.
 * Whoever starts it reads its output to the end.
 */
export function startProgram(
  program: Program,
  args: readonly string[],
  { binDir, url }: ProgramPlace,
): RunningProgram {
  const child = spawn(binDir === undefined ? program : join(binDir, program), args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: SYSTEM_PATH, ...(url === null ? {} : connectionVariables(url)) },
  });
  // A program that ends before it read everything says why itself.
  child.stdin.on('error', () => {});
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const ended = Promise.all([text(child.stderr), closed]).then(
    ([errors, code]) => {
      if (code !== 0) throw new StartError(errors.trim() || `${program} ended with code ${code}`);
    },
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        error.code === 'ENOENT'
          ? `${program} is not installed. Install the client programs of PostgreSQL, of the server's version or newer.`
          : `${program} cannot be run: ${error.message}`,
      );
    },
  );
  // It may fail before anyone waits for it.
  ended.catch(() => {});
  return { input: child.stdin, output: child.stdout, ended, stop: () => child.kill() };
}

/** Runs a program of PostgreSQL that needs no input. @throws StartError when it fails */
export async function runProgram(...started: Parameters<typeof startProgram>): Promise<void> {
  const { input, output, ended } = startProgram(...started);
  input.end();
  output.resume();
  await ended;
}

/**
 * Gives a program its input, with the program's own words when it fails.
 * @throws Error of the source, after which the program is stopped
 */
export async function feedProgram(
  { input, output, ended, stop }: RunningProgram,
  source: Readable,
): Promise<void> {
  output.resume();
  let sourceError: Error | null = null;
  source.on('error', (error) => {
    sourceError = error;
  });
  await pipeline(source, input).catch(() => {});
  if (sourceError) {
    stop();
    await ended.catch(() => {});
    throw sourceError;
  }
  await ended;
}

/** The address of a database, as the variables that PostgreSQL's programs read. */
function connectionVariables(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = parseUrl(
    url,
    'The database address',
  );
  const variables = {
    PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get('sslmode') ?? '',
    PGSSLROOTCERT: searchParams.get('sslrootcert') ?? '',
    PGSSLCERT: searchParams.get('sslcert') ?? '',
    PGSSLKEY: searchParams.get('sslkey') ?? '',
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}
