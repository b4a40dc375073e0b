import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { makeFolder } from './make-folder.ts';
import { canReach, type UnixUser } from './unprivileged-user.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

const PROGRAMS = ['initdb', 'postgres'];

/**
 * Finds PostgreSQL's programs in the platform's npm package and makes them runnable for `user`: restores lost exec bits
 * and library links, and copies a package that the user cannot reach to `cacheDir`.
 * @param packageDir the folder of the package; by default the one that is installed
 */
export function prepareBinaries(
  user: UnixUser | null,
  cacheDir: string,
  packageDir = locatePackage(),
): Binaries {
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const nativeDir = join(packageDir, 'native');
  const reachable =
    user === null || PROGRAMS.every((name) => isRunnableBy(join(nativeDir, 'bin', name), user));
  const home = reachable ? nativeDir : join(cacheDir, `postgresql-${version}`);
  if (!reachable && !existsSync(home)) copyPackage(nativeDir, home);
  restoreExecutables(home);
  restoreLinks(home);
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
    throw new EmbeddedPostgresError(
      `The PostgreSQL package ${name} is not installed. Run "npm ci", or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

function isRunnableBy(program: string, user: UnixUser): boolean {
  return canReach(dirname(program), user) && (statSync(program).mode & 0o005) === 0o005;
}

/** Copies to a temporary name and renames, so an interrupted copy is never mistaken for a complete one. */
function copyPackage(nativeDir: string, home: string): void {
  makeFolder(dirname(home));
  const partial = `${home}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const openToAll = (source: string, target: string) => {
    const { mode } = statSync(source);
    // After the copy: cpSync gives files the modes of their sources, which the user may not read.
    modes.push([target, mode | (mode & 0o100 || statSync(source).isDirectory() ? 0o555 : 0o444)]);
    return true;
  };
  const modes: [string, number][] = [];
  cpSync(nativeDir, partial, { recursive: true, verbatimSymlinks: true, filter: openToAll });
  for (const [target, mode] of modes) chmodSync(target, mode);
  renameSync(partial, home);
}

/** Some package managers and copies drop exec bits. */
function restoreExecutables(home: string): void {
  for (const name of PROGRAMS) {
    const program = join(home, 'bin', name);
    if ((statSync(program).mode & 0o111) !== 0o111) chmodSync(program, 0o755);
  }
}

/** npm packs no symbolic links: the package lists them for its install script, which may not have run. */
function restoreLinks(home: string): void {
  const list = join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(dirname(home), target.replace(/^native/, basename(home)));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
