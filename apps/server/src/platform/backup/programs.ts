import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

/**
 * Runs a program of PostgreSQL. The password goes through the environment: every user of the machine sees arguments.
 * @returns its output
 * @throws StartError with the program's own last line when it fails
 */
export async function runProgram(
  program: Program,
  args: readonly string[],
  { binDir, url }: ProgramPlace,
): Promise<string> {
  const child = spawn(binDir === undefined ? program : join(binDir, program), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: SYSTEM_PATH, ...(url === null ? {} : connectionVariables(url)) },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        error.code === 'ENOENT'
          ? `${program} is not installed. Install the client programs of PostgreSQL, of the server's version or newer.`
          : `${program} cannot be run: ${error.message}`,
      );
    },
  );
  if (code !== 0) throw new StartError(errors.trim() || `${program} ended with code ${code}`);
  return output;
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
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}
