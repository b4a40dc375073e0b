import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PreparationError } from './preparation-error.mjs';
import { cacheDir } from './project.mjs';

const lockFile = join(cacheDir, 'prepare.lock');

const READ_ONLY = ['EROFS', 'EACCES', 'EPERM'];

/**
 * Two terminals may start at once on a fresh clone: the second waits, then finds the work done. In a folder that cannot
 * be written no other one prepares anything either: the work runs at once, and may only find that all is done.
 */
export async function alone(work) {
  try {
    await lockAndWork(work);
  } catch (error) {
    if (!READ_ONLY.includes(error.code)) throw error;
    await work().catch(() => {
      throw new PreparationError(
        'This folder cannot be written, and it is not prepared yet. Run "npm ci" and "node scripts/prepare.mjs start" where it can be.',
      );
    });
  }
}

async function lockAndWork(work) {
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
