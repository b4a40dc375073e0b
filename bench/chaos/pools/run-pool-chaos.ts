import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface Settings {
  kills: string;
  seed?: string | undefined;
  naive: boolean;
}

/** Runs the chaos of pools, which uses the world of their tests, with the runner of tests. @returns the exit code */
export async function runPoolChaos({ kills, seed, naive }: Settings): Promise<number> {
  const child = spawn('vitest', ['run', '--project', 'chaos', '--disable-console-intercept'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHAOS_KILLS: kills,
      ...(seed && { CHAOS_SEED: seed }),
      CHAOS_NAIVE: naive ? '1' : '0',
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
