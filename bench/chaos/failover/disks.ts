import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MACHINES, type Machine } from '../../../scripts/cluster/files.ts';
import { placeOf } from '../../../scripts/cluster/lay-out.ts';

/** What a machine of the cluster has: small, so that it can be full. */
const SIZE = '3g';

/** Gives each machine a disk of its own, before its programs start. */
export function mountDisks(): void {
  for (const machine of MACHINES) {
    const { data } = placeOf(machine);
    mkdirSync(data, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'copydesk-chaos', data]);
  }
}

export function unmountDisks(): void {
  for (const machine of MACHINES) execFileSync('umount', ['-l', placeOf(machine).data]);
}

/** Leaves nothing of a machine's disk. @returns the file that has it */
export function fillDisk(machine: Machine): string {
  const file = join(placeOf(machine).data, 'full');
  const some = Buffer.alloc(1 << 24);
  try {
    for (;;) appendFileSync(file, some);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return file;
}
