import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PreparationError } from './preparation-error.mjs';
import { projectDir, projectNode } from './project.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';

const nodeModules = join(projectDir, 'node_modules');
const stampFile = join(nodeModules, '.installed-lock');
const lockText = readFileSync(join(projectDir, 'package-lock.json'), 'utf8');
const lockHash = createHash('sha256').update(lockText).digest('hex');

/** Installs the versions in package-lock.json unless exactly those are present. */
export async function installDependencies() {
  if (isComplete()) {
    if (readText(stampFile) !== lockHash) noteInstalled();
    return;
  }
  // Dev dependencies build the console; NODE_ENV=production or an npm setting would leave them out.
  const flags = ['--no-fund', '--no-audit', '--include=dev', '--include=optional', '--ignore-scripts=false'];
  let result = await runNpm('Installing dependencies', ['ci', ...flags]);
  if (result.code !== 0 && result.output.includes('EUSAGE')) {
    // npm 11 requires every platform's optional package in the lock file, including those missing from the registry in
    // use. `npm install` takes the same versions from the lock and accepts the gap.
    rmSync(nodeModules, { recursive: true, force: true });
    result = await runNpm('Installing dependencies from the lock file', ['install', '--no-save', ...flags]);
  }
  if (result.code !== 0) {
    const reason = lastLines(result.output);
    throw new PreparationError(`The dependencies could not be installed. npm says:\n\n${reason}`);
  }
  if (!hasRuntime()) {
    throw new PreparationError(
      'The dependencies were installed, but not the Node that the project runs on (package "node" for this platform).',
    );
  }
  noteInstalled();
}

/** Saves the next start a comparison of all packages. Where it cannot be written, the next start compares again. */
function noteInstalled() {
  try {
    writeFileSync(stampFile, lockHash);
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error;
  }
}

/** npm's own record of the installation must be on disk and match the lock file. */
function isComplete() {
  const installed = JSON.parse(readText(join(nodeModules, '.package-lock.json')) ?? '{}').packages;
  if (!installed || !hasRuntime()) return false;
  const isOnDisk = (path) => existsSync(join(projectDir, path, 'package.json'));
  if (!Object.keys(installed).every(isOnDisk)) return false;
  return readText(stampFile) === lockHash || matchesLock(installed);
}

/** For a manual installation with npm, which leaves no stamp. */
function matchesLock(installed) {
  const wanted = Object.entries(JSON.parse(lockText).packages).filter(([path]) =>
    path.startsWith('node_modules/'),
  );
  return wanted.every(([path, { version, optional, link }]) =>
    installed[path] ? link || installed[path].version === version : optional,
  );
}

/** The package "node" fetches its binary in an install script, so its folder alone proves nothing. */
function hasRuntime() {
  const wanted = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')).dependencies.node;
  const { stdout } = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  return stdout?.trim() === `v${wanted}`;
}

/** npm runs on the machine's own Node: the project's Node is in the folder that npm is about to replace. */
function runNpm(what, args) {
  const { npm_execpath: npmScript, npm_node_execpath: machineNode, PATH = '' } = process.env;
  const path = PATH.split(delimiter).filter((folder) => !folder.startsWith(projectDir));
  const options = { env: { ...process.env, PATH: path.join(delimiter) } };
  return npmScript && machineNode && !machineNode.startsWith(projectDir)
    ? runQuietly(what, machineNode, [npmScript, ...args], options)
    : runQuietly(what, 'npm', args, options);
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
