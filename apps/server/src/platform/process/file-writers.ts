import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** A user and its group. */
export interface Identity {
  uid: number;
  gid: number;
}

/** A file or folder, and how many levels below it are looked at. */
export interface Place {
  path: string;
  depth: number;
}

/** The paths that this process itself may write; empty for root, which may write all. */
const STICKY = 0o1000;

/**
 * The first path that a user besides root and `me` may write, in words; null: there is none. Folders above a place count
 * as well: whoever may write one can put another folder in its place. A path that does not exist, or that `me` may not
 * see, is none.
 */
export function findForeignWriter(places: readonly Place[], me: Identity): string | null {
  const above = new Set(places.flatMap(({ path }) => foldersAbove(path)));
  for (const path of above) {
    const found = describe(path, me);
    if (found) return found;
  }
  for (const place of places) {
    const found = findBelow(place, me);
    if (found) return found;
  }
  return null;
}

/** The paths that this process itself may write. Root may write all, which says nothing. */
export function listWritable(paths: readonly string[]): string[] {
  return process.getuid?.() === 0 ? [] : paths.filter(isWritable);
}

function findBelow({ path, depth }: Place, me: Identity): string | null {
  const found = describe(path, me);
  if (found || depth === 0) return found;
  for (const name of listFolder(path)) {
    const below = findBelow({ path: join(path, name), depth: depth - 1 }, me);
    if (below) return below;
  }
  return null;
}

function describe(path: string, { uid, gid }: Identity): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  if (stats.uid !== 0 && stats.uid !== uid) return `${path} belongs to user ${stats.uid}`;
  // The mode of a link has no effect, and the entries of a sticky folder belong to their owners.
  if (stats.isSymbolicLink() || isSticky(stats)) return null;
  if (stats.mode & 0o002) return `every user may write ${path}`;
  if (stats.mode & 0o020 && stats.gid !== 0 && stats.gid !== gid)
    return `group ${stats.gid} may write ${path}`;
  return null;
}

const isSticky = (stats: Stats) => stats.isDirectory() && (stats.mode & STICKY) !== 0;

function listFolder(path: string): string[] {
  try {
    return lstatSync(path).isDirectory() ? readdirSync(path) : [];
  } catch {
    return [];
  }
}

function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...foldersAbove(parent), parent];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
