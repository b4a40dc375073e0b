import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { getCACertificates } from 'node:tls';
import { type DatabaseAddress, readAddress } from '../db/connection/database-url.ts';
import { StartError } from '../process/start-error.ts';

type Program = 'pg_dump' | 'pg_restore';

/** Where programs are found when no folder is given. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

export interface ProgramPlace {
  /** Folder of PostgreSQL's programs; undefined: those of the system. */
  binDir: string | undefined;
  /** The database that the program connects to; null: none. */
  url: string | null;
  /**
   * True: Ctrl-C reaches this process only, which has to stop the program and its children. Otherwise it
   * reaches both, so a restore never continues alone into a database that is not secured yet.
   */
  hasOwnGroup?: boolean;
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
 * Starts a program of PostgreSQL. The password goes through the environment: every user of the machine sees
 * arguments.
 * The caller must read its output to the end.
 */
export function startProgram(
  program: Program,
  args: readonly string[],
  { binDir, url, hasOwnGroup = false }: ProgramPlace,
): RunningProgram {
  const address = url === null ? null : readAddress(url, 'The database address');
  const needsAuthorities =
    address !== null && /^(authority|full)$/.test(address.tls) && address.files.authority === null;
  const authorities = needsAuthorities ? openAuthorities() : null;
  const child = spawn(binDir === undefined ? program : join(binDir, program), args, {
    stdio: ['pipe', 'pipe', 'pipe', ...(authorities === null ? [] : [authorities])],
    detached: hasOwnGroup,
    env: {
      PATH: SYSTEM_PATH,
      ...(address && connectionVariables(address, authorities === null ? null : INHERITED)),
    },
  }) as ChildProcessWithoutNullStreams;
  if (authorities !== null) closeSync(authorities);
  // A program that ends before it has read everything reports the reason in its own error.
  child.stdin.on('error', () => {});
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const ended = Promise.all([text(child.stderr), closed]).then(
    ([errors, code]) => {
      if (code !== 0)
        throw new StartError(errors.trim() || `${program} ended with code ${code}`, { isSetting: false });
    },
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        error.code === 'ENOENT'
          ? `${program} is not installed. Install the client programs of PostgreSQL, of the server's version or newer.`
          : `${program} cannot be run: ${error.message}`,
      );
    },
  );
  // It may fail before a caller awaits it: without a handler the rejection would end this process.
  ended.catch(() => {});
  const stop = () => (hasOwnGroup ? endGroup(child.pid) : void child.kill());
  return { input: child.stdin, output: child.stdout, ended, stop };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // The group has already ended.
  }
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

/** libpq's names for what TLS has to prove. */
const MODES = {
  none: 'disable',
  unverified: 'require',
  authority: 'verify-ca',
  full: 'verify-full',
} as const;
/** Path of the file that a program inherits, on Linux and macOS. */
const INHERITED = '/dev/fd/3';

/**
 * The address of a database, as the variables that PostgreSQL's programs read: they connect exactly as node-pg does.
 * @param authorities file of the authorities that Node trusts, where the address names none
 */
function connectionVariables(address: DatabaseAddress, authorities: string | null): Record<string, string> {
  const { host, port, user, password, database, tls, files, options, negotiation } = address;
  const variables = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: MODES[tls],
    // With a file of authorities, libpq checks the certificate even in a mode that needs no proof.
    PGSSLROOTCERT: tls === 'unverified' ? NO_HOME : (files.authority ?? authorities),
    PGSSLCERT: files.certificate,
    PGSSLKEY: files.key,
    PGSSLNEGOTIATION: negotiation,
    PGOPTIONS: options,
    // Ignores the password file, certificates and services of the user who runs it.
    HOME: NO_HOME,
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

const NO_HOME = '/nonexistent';

/**
 * The authorities that Node trusts, NODE_EXTRA_CA_CERTS included, as an open file without a name: libpq has
 * no list of its own. The name is removed at once, so the file is gone when it is closed.
 */
function openAuthorities(): number {
  const path = join(tmpdir(), `copydesk-authorities-${randomUUID()}`);
  writeFileSync(path, getCACertificates('default').join('\n'), { flag: 'wx', mode: 0o600 });
  const file = openSync(path, 'r');
  unlinkSync(path);
  return file;
}
