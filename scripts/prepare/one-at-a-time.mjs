import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from './project.mjs';

const lockFile = join(cacheDir, 'prepare.lock');

/** Two terminals may start at once on a fresh clone: the second waits, then finds the work done. */
export async function alone(work) {
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
  } catch {
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
