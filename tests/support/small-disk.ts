import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder on a disk of a megabyte, until the test ends; null: this user may not mount one. */
export function mountSmallDisk(): { folder: string; fill(): void; empty(): void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-full-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'copydesk-test', folder]);
  onTestFinished(() => {
    if (status === 0) execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  if (status !== 0) return null;
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => void spawnSync('sh', ['-c', `cat /dev/zero > ${filler}`], { stdio: 'ignore' }),
    empty() {
      execFileSync('mount', ['-o', 'remount,size=16m', folder]);
      rmSync(filler);
    },
  };
}
