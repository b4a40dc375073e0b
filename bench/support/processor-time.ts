import { globSync, readFileSync } from 'node:fs';

/** Of a clock tick, in which Linux counts. */
const TICK_MS = 10;

/**
 * The processor time that a PostgreSQL has taken so far, in ms.
 * @param postmaster its first process
 */
export function processorMs(postmaster: number): number {
  const server = `/proc/${postmaster}/stat`;
  const ticks = globSync('/proc/[0-9]*/stat').map((path) => {
    const [, parent, ...fields] = fieldsOf(path);
    if (path !== server && parent !== String(postmaster)) return 0;
    // Its own; of the first process also that of those that it has buried.
    return sum(fields.slice(9, path === server ? 13 : 11));
  });
  return sum(ticks) * TICK_MS;
}

/** From the state on. */
function fieldsOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return []; // it ended meanwhile
  }
}

const sum = (values: readonly (string | number)[]) =>
  values.reduce<number>((all, each) => all + Number(each), 0);
