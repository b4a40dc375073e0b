import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModule } from './read-module.ts';
import { resolveImport } from './resolve-import.ts';

export interface SmallFile {
  file: string;
  lines: number;
  /** The one file that imports it, in the same folder. */
  host: string;
  /** Whether it has no reason to be a file: its host has room for it. */
  isRefused: boolean;
}

const SMALL = 40;
/** Lines that a file may have before it is divided. */
const ROOM = 150;
/** SQL, and code that changes something, has a file apart from the route that calls it. */
const APART = /\.(store|views|service)\.ts$/;

/**
 * The files below 40 lines that one file beside them imports. A rule with a test of its own is a file; so are
 * SQL and services, and what is passed on or loaded late.
 * @param sources the modules that are no tests, from the project's folder
 */
export function findSmallFiles(projectDir: string, sources: string[]): SmallFile[] {
  const importers = new Map<string, Set<string>>();
  const apart = new Set<string>();
  for (const from of sources)
    for (const { specifier, isUsed } of readModule(join(projectDir, from)).imports) {
      const to = resolveImport(specifier, from, projectDir);
      if (!to) continue;
      importers.set(to, (importers.get(to) ?? new Set()).add(from));
      if (!isUsed) apart.add(to);
    }
  const linesOf = (file: string) => readFileSync(join(projectDir, file), 'utf8').split('\n').length - 1;
  const isTested = (file: string) =>
    ['.test.ts', '.test.tsx', '.unit.test.ts'].some((end) =>
      existsSync(join(projectDir, file.replace(/\.tsx?$/, end))),
    );
  return sources.flatMap((file) => {
    const [host, ...others] = importers.get(file) ?? [];
    if (host === undefined || others.length > 0 || parentOf(host) !== parentOf(file)) return [];
    const lines = linesOf(file);
    if (lines >= SMALL) return [];
    const isFile = APART.test(file) || apart.has(file) || isTested(file);
    return [{ file, lines, host, isRefused: !isFile && lines + linesOf(host) <= ROOM }];
  });
}

function parentOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}
