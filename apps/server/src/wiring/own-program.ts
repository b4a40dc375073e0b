import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../platform/observe/log.ts';
import { findForeignWriter, listWritable } from '../platform/process/file-writers.ts';

const HOME = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

/** Where `bin/copydesk` has the compile cache, unless NODE_COMPILE_CACHE says otherwise. */
const CACHE = join(HOME, '.cache/compiled-modules');

/** Deeper than any folder of ours. */
const WHOLE = 64;
/** `secrets` in a data folder, and its files. */
const DATA_DEPTH = 2;

/** How far a program of ours is apart from the other users of its machine. */
export interface OwnProgram {
  /** User and machine, as in `998@host`. */
  runsAs: string;
  /** Which other user could change its programs, its compile cache or its folder; null: none. */
  foreignWriter: string | null;
  /** Programs and compile cache that it could change itself. */
  writable: string[];
}

/** User and machine of this process, as in `998@host`; null below `npm start`, and where users have no numbers. */
export function processUser(): string | null {
  return process.channel || !process.getuid ? null : `${process.getuid()}@${hostname()}`;
}

/**
 * Looks at the files of this installation as this process has them. Null below `npm start`, which runs all programs as
 * one user from one folder.
 * @param options.isThorough also into every package of node_modules, which takes a second
 */
export function inspectOwnProgram(options: {
  dataDir: string | undefined;
  isThorough?: boolean;
}): OwnProgram | null {
  const runsAs = processUser();
  if (runsAs === null) return null;
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const cache = compileCache();
  const ofPackages = options.isThorough ? WHOLE : 2;
  const places = [
    { path: HOME, depth: 0 },
    ...['bin', 'apps/server/src', 'packages'].map((path) => ({ path: join(HOME, path), depth: WHOLE })),
    ...['node_modules', 'apps/server/node_modules'].map((path) => ({
      path: join(HOME, path),
      depth: ofPackages,
    })),
    { path: join(HOME, 'node_modules/node/bin/node'), depth: 0 },
    ...[CACHE, ...(cache ? [cache] : [])].map((path) => ({ path, depth: WHOLE })),
    ...(options.dataDir ? [{ path: options.dataDir, depth: DATA_DEPTH }] : []),
  ];
  return {
    runsAs,
    foreignWriter: findForeignWriter(places, me),
    writable: listWritable([HOME, join(HOME, 'apps/server/src'), ...(cache ? [cache] : [])]),
  };
}

/** The folder of NODE_COMPILE_CACHE. Node has one below it for each of its versions and users. */
function compileCache(): string | null {
  const own = getCompileCacheDir();
  return own ? dirname(own) : null;
}

/** What an operator should change, in one sentence; null: nothing. */
export function describeOwnProgram({ runsAs, foreignWriter, writable }: OwnProgram): string | null {
  if (foreignWriter)
    return `Another user could change this program: ${foreignWriter}. Make root the owner, and let no one else write.`;
  if (runsAs.startsWith('0@')) return 'This program runs as root. Give it a user of its own.';
  return writable.length > 0
    ? `This program could change itself: it may write ${writable.join(' and ')}. Make root the owner.`
    : null;
}

export function warnOfOwnProgram(program: OwnProgram | null, log: Logger): void {
  const problem = program && describeOwnProgram(program);
  if (problem) log.warn(problem);
}

/** For the doctor, which runs as root: whether the programs and their compile cache are root's alone. */
export function checkProgramFiles(): { isFine: boolean; text: string } {
  const found = inspectOwnProgram({ dataDir: undefined, isThorough: true });
  if (found?.foreignWriter) return { isFine: false, text: describeOwnProgram(found) ?? '' };
  return existsSync(CACHE)
    ? { isFine: true, text: 'No other user can change the programs and their compile cache.' }
    : {
        isFine: false,
        text: 'There is no compile cache. Make it with: bin/copydesk compile copydesk-api copydesk-worker.',
      };
}
