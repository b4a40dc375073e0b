import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs');

/** An attack that is a test file as a whole: it needs a world of its own in each of its ways. */
const attackByTests = (project: 'server' | 'long', file: string) => async (): Promise<boolean> => {
  console.log(`\n${file}`);
  const child = spawn(process.execPath, [VITEST, 'run', '--project', project, '--reporter=verbose', file], {
    cwd: PROJECT,
    stdio: 'inherit',
  });
  return (await new Promise((resolve) => child.on('close', resolve))) === 0;
};

/** One person who wants to act as two. */
export const attackByFourEyes = attackByTests('server', 'tests/api/attack-by-four-eyes.test.ts');
/** Code in the process of the API. */
export const attackByCode = attackByTests('long', 'tests/start/programs-apart.long.test.ts');
