import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs files that use the worlds of the tests, with the runner of tests.
 * @param project of vitest.config.ts
 * @param folder of the files, where the project has several
 * @returns the exit code
 */
export async function runWorld(
  project: 'chaos' | 'pool-runs',
  environment: Record<string, string | undefined>,
  folder?: string,
): Promise<number> {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined);
  const child = spawn(
    'vitest',
    ['run', ...(folder ? [folder] : []), '--project', project, '--disable-console-intercept'],
    {
      stdio: 'inherit',
      env: { ...process.env, ...Object.fromEntries(given) },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
