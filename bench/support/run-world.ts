import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a file that uses the world of the pools' tests, with the runner of tests.
 * @param project of vitest.config.ts
 * @returns the exit code
 */
export async function runWorld(
  project: 'chaos' | 'pool-runs',
  environment: Record<string, string | undefined>,
): Promise<number> {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined);
  const child = spawn('vitest', ['run', '--project', project, '--disable-console-intercept'], {
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(given) },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
