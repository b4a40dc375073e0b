import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PreparationError } from './preparation-error.mjs';
import { projectDir, projectNode } from './project.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';

const consoleDir = join(projectDir, 'apps', 'console');
const stampFile = join(consoleDir, 'dist', '.sources-hash');
const SOURCES = [
  'apps/console/index.html',
  'apps/console/package.json',
  'apps/console/public',
  'apps/console/src',
  'apps/console/tsconfig.json',
  'apps/console/vite.config.ts',
  'packages',
  'package-lock.json',
  'tsconfig.base.json',
];

/**
 * Builds the console when any of its sources has changed since the last complete build, or the last one was for another
 * mode.
 * @param {'demo' | 'production'} mode only that of the demo world has the sign-in of its personas
 */
export async function buildConsole(mode) {
  const hash = `${mode} ${hashSources()}`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return;
  const vite = join(projectDir, 'node_modules', 'vite', 'bin', 'vite.js');
  const { code, output } = await runQuietly(
    'Building the console',
    projectNode,
    [vite, 'build', '--mode', mode],
    {
      cwd: consoleDir,
    },
  );
  if (code !== 0) throw new PreparationError(`The console could not be built:\n\n${lastLines(output, 30)}`);
  writeFileSync(stampFile, hash);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => listFiles(join(projectDir, source)))) {
    hash.update(relative(projectDir, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.sort().flatMap((name) => listFiles(join(path, name)));
}
