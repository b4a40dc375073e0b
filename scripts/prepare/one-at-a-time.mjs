import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PreparationError } from './preparation-error.mjs';
import { cacheDir, projectDir } from './project.mjs';

const lockFile = join(cacheDir, 'prepare.lock');

/**
 * Two terminals may start at once on a fresh clone: the second waits, then finds the work done. A folder that cannot be
 * written needs no lock: the work may only find that all is done.
 */
export async function alone(work) {
  if (!canWrite(projectDir)) {
    await work().catch(() => {
      throw new PreparationError(
        'This folder cannot be written, and it is not prepared yet. Run "npm ci" and "node scripts/prepare.mjs start" where it can be.',
      );
    });
    return;
  }
  mkdirSync(cacheDir, { recursive: true });
  for (let waits = 0; !take(); waits += 1) {
    if (waits === 0) console.log('Waiting for another preparation of this folder to end ...');
    await sleep(300);
  }
  // Also on Ctrl-C, which ends this process without running `finally`.
  process.once('exit', () => rmSync(lockFile, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  await work();
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function take() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHolderAlive()) rmSync(lockFile, { force: true });
    return false;
  }
}

function isHolderAlive() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    // Empty for a moment after the holder creates the file and before it writes it.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
